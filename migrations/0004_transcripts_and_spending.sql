CREATE TABLE `transcripts` (
	`run_id` text NOT NULL,
	`loop` text NOT NULL,
	`seq` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`kind` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`run_id`, `loop`, `seq`)
);
--> statement-breakpoint
CREATE INDEX `transcripts_by_time` ON `transcripts` (`at_ms`);--> statement-breakpoint
CREATE TABLE `model_spending` (
	`id` integer PRIMARY KEY NOT NULL,
	`at_ms` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_input_tokens` integer NOT NULL,
	`cost_usd` real,
	`estimated` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `model_spending_by_time` ON `model_spending` (`at_ms`);