CREATE TABLE `assessments` (
	`finding_id` text NOT NULL,
	`run_id` text NOT NULL,
	`episode` integer NOT NULL,
	`verdict` text NOT NULL,
	`reason` text NOT NULL,
	`evidence` text NOT NULL,
	`by` text,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`finding_id`, `run_id`)
);
--> statement-breakpoint
CREATE INDEX `assessments_of_run` ON `assessments` (`run_id`);