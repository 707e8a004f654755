CREATE TABLE `episodes` (
	`finding_id` text NOT NULL,
	`number` integer NOT NULL,
	`filed_by` text NOT NULL,
	`started_at_ms` integer NOT NULL,
	`ended_at_ms` integer,
	`ended_by` text,
	`reason` text,
	`worst_rank` integer NOT NULL,
	PRIMARY KEY(`finding_id`, `number`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `episodes_open` ON `episodes` (`finding_id`) WHERE "episodes"."ended_at_ms" is null;--> statement-breakpoint
CREATE INDEX `episodes_ended` ON `episodes` (`ended_at_ms`) WHERE "episodes"."ended_at_ms" is not null;--> statement-breakpoint
CREATE TABLE `evidence` (
	`finding_id` text NOT NULL,
	`run_id` text NOT NULL,
	`reading_id` text NOT NULL,
	`source_id` text NOT NULL,
	`kind` text NOT NULL,
	`taken_at_ms` integer NOT NULL,
	`body` text,
	`told` integer NOT NULL,
	PRIMARY KEY(`finding_id`, `run_id`, `reading_id`)
);
--> statement-breakpoint
CREATE TABLE `finding_aliases` (
	`id` text PRIMARY KEY NOT NULL,
	`finding_id` text NOT NULL,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `finding_aliases_of` ON `finding_aliases` (`finding_id`);--> statement-breakpoint
CREATE TABLE `finding_counts` (
	`state` text NOT NULL,
	`severity_rank` integer NOT NULL,
	`disposition` text NOT NULL,
	`category` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`state`, `severity_rank`, `disposition`, `category`)
);
--> statement-breakpoint
CREATE TABLE `finding_history` (
	`seq` integer PRIMARY KEY NOT NULL,
	`finding_id` text NOT NULL,
	`episode` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`kind` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_name` text,
	`reason` text,
	`data` text,
	`run_id` text,
	`request_id` text
);
--> statement-breakpoint
CREATE INDEX `finding_history_of` ON `finding_history` (`finding_id`);--> statement-breakpoint
CREATE TABLE `finding_marks` (
	`name` text PRIMARY KEY NOT NULL,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `finding_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`subject_id` text NOT NULL,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `finding_requests_age` ON `finding_requests` (`at_ms`);--> statement-breakpoint
CREATE TABLE `findings` (
	`id` text PRIMARY KEY NOT NULL,
	`resource_id` text NOT NULL,
	`key` text NOT NULL,
	`key_type` text NOT NULL,
	`detector` text,
	`filed_by` text NOT NULL,
	`severity_rank` integer NOT NULL,
	`category` text NOT NULL,
	`title` text NOT NULL,
	`summary` text NOT NULL,
	`explanation` text,
	`clears_when` text,
	`level` text,
	`details` text NOT NULL,
	`source_ids` text NOT NULL,
	`evidence` text,
	`decline_reason` text,
	`state` text NOT NULL,
	`state_at_ms` integer NOT NULL,
	`disposition` text NOT NULL,
	`disposition_data` text,
	`suppression_id` text,
	`wakes_at_ms` integer,
	`stale` text,
	`absence` text,
	`folded_under` text,
	`resolution` text,
	`awaits_clear` integer NOT NULL,
	`episode` integer NOT NULL,
	`regressions` integer NOT NULL,
	`first_seen_at_ms` integer NOT NULL,
	`opened_at_ms` integer NOT NULL,
	`since_ms` integer NOT NULL,
	`last_seen_at_ms` integer NOT NULL,
	`last_signal_at_ms` integer,
	`investigation` text NOT NULL,
	`last_fix` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `findings_identity` ON `findings` (`resource_id`,`key`);--> statement-breakpoint
CREATE INDEX `findings_by_severity` ON `findings` (`state`,`severity_rank`,`state_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `findings_by_time` ON `findings` (`state`,`state_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `findings_by_key` ON `findings` (`key_type`,`state`,`severity_rank`,`state_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `findings_suppressed` ON `findings` (`suppression_id`) WHERE "findings"."suppression_id" is not null;--> statement-breakpoint
CREATE INDEX `findings_waking` ON `findings` (`wakes_at_ms`) WHERE "findings"."wakes_at_ms" is not null;--> statement-breakpoint
CREATE INDEX `findings_awaiting_clear` ON `findings` (`awaits_clear`) WHERE "findings"."awaits_clear" = 1;--> statement-breakpoint
CREATE TABLE `history_pruning` (
	`finding_id` text PRIMARY KEY NOT NULL,
	`before_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `operator_state` (
	`resource_id` text PRIMARY KEY NOT NULL,
	`maintenance_from_ms` integer,
	`maintenance_until_ms` integer,
	`expected_offline` integer NOT NULL,
	`muted` integer NOT NULL,
	`retired` integer NOT NULL,
	`never_auto_remediate` integer NOT NULL,
	`criticality` text NOT NULL,
	`note` text
);
--> statement-breakpoint
CREATE TABLE `operator_state_history` (
	`seq` integer PRIMARY KEY NOT NULL,
	`resource_id` text NOT NULL,
	`at_ms` integer NOT NULL,
	`kind` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_name` text,
	`reason` text,
	`state` text,
	`moved_from` text,
	`request_id` text
);
--> statement-breakpoint
CREATE INDEX `operator_state_history_of` ON `operator_state_history` (`resource_id`);--> statement-breakpoint
CREATE TABLE `suppressions` (
	`id` text PRIMARY KEY NOT NULL,
	`resource_id` text NOT NULL,
	`match_kind` text NOT NULL,
	`match_value` text NOT NULL,
	`created_by` text NOT NULL,
	`reason` text,
	`created_at_ms` integer NOT NULL,
	`removed_at_ms` integer,
	`removed_by` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `suppressions_in_force` ON `suppressions` (`resource_id`,`match_kind`,`match_value`) WHERE "suppressions"."removed_at_ms" is null;--> statement-breakpoint
CREATE TABLE `aliases` (
	`key` text PRIMARY KEY NOT NULL,
	`resource_id` text NOT NULL,
	`strength` text NOT NULL,
	`seen_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `aliases_resource` ON `aliases` (`resource_id`);--> statement-breakpoint
CREATE TABLE `resources` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`parent_id` text,
	`status` text NOT NULL,
	`source_ids` text NOT NULL,
	`tags` text NOT NULL,
	`expects` text NOT NULL,
	`facts` text NOT NULL,
	`first_seen_at_ms` integer NOT NULL,
	`seen_at_ms` integer NOT NULL,
	`absent_looks` integer DEFAULT 0 NOT NULL,
	`gone_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `resources_parent` ON `resources` (`parent_id`);--> statement-breakpoint
CREATE INDEX `resources_gone` ON `resources` (`gone_at_ms`);--> statement-breakpoint
CREATE TABLE `samples` (
	`resource_id` text NOT NULL,
	`metric` text NOT NULL,
	`at_ms` integer NOT NULL,
	`value` real NOT NULL,
	`window_ms` integer NOT NULL,
	`keep` text NOT NULL,
	PRIMARY KEY(`resource_id`, `metric`, `at_ms`)
);
--> statement-breakpoint
CREATE INDEX `samples_age` ON `samples` (`keep`,`at_ms`);--> statement-breakpoint
CREATE TABLE `source_state` (
	`source_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`source_id`, `key`)
);
--> statement-breakpoint
CREATE TABLE `source_surveys` (
	`source_id` text NOT NULL,
	`pace` text NOT NULL,
	`last_at_ms` integer NOT NULL,
	`last_complete_at_ms` integer,
	`outcome` text NOT NULL,
	`reason` text,
	PRIMARY KEY(`source_id`, `pace`)
);
--> statement-breakpoint
CREATE TABLE `verdicts` (
	`detector` text NOT NULL,
	`resource_id` text NOT NULL,
	`subject` text NOT NULL,
	`severity` text,
	`level` real,
	`since_ms` integer NOT NULL,
	`bad_since_ms` integer,
	`bad_last_at_ms` integer,
	`bad_looks` integer,
	`source_ids` text,
	`seen_at_ms` integer NOT NULL,
	`absent_looks` integer DEFAULT 0 NOT NULL,
	`absent_look_at_ms` integer,
	PRIMARY KEY(`resource_id`, `detector`, `subject`)
);
--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`last_used_at_ms` integer,
	`revoked_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_secret` ON `tokens` (`secret_hash`);--> statement-breakpoint
CREATE TABLE `quiet_watches` (
	`day` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`last_at_ms` integer NOT NULL,
	`last_status` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `run_lease` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`process` text NOT NULL,
	`heartbeat_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `run_lease_holder` ON `run_lease` (`holder`);--> statement-breakpoint
CREATE TABLE `run_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`trigger` text NOT NULL,
	`scope` text,
	`priority` integer NOT NULL,
	`requested_at_ms` integer NOT NULL,
	`state` text NOT NULL,
	`merged` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`run_id` text,
	`reason` text
);
--> statement-breakpoint
CREATE INDEX `run_requests_next` ON `run_requests` (`state`,`priority`,`requested_at_ms`);--> statement-breakpoint
CREATE TABLE `run_stages` (
	`run_id` text NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`duration_ms` real NOT NULL,
	PRIMARY KEY(`run_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`kind` text NOT NULL,
	`trigger` text NOT NULL,
	`scope` text,
	`state` text NOT NULL,
	`status` text,
	`reason` text,
	`started_at_ms` integer NOT NULL,
	`duration_ms` real,
	`coverage` text,
	`report` text,
	`cancel_requested_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `runs_started` ON `runs` (`started_at_ms`);--> statement-breakpoint
CREATE INDEX `runs_state` ON `runs` (`state`);