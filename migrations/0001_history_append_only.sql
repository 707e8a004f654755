-- The history of findings and of operators' declarations is append-only: the database itself refuses the rest.
-- REPLACE deletes without asking the trigger for deletes.
CREATE TRIGGER `finding_history_no_replace` BEFORE INSERT ON `finding_history`
WHEN EXISTS (SELECT 1 FROM `finding_history` WHERE `seq` = NEW.`seq`)
BEGIN SELECT RAISE(ABORT, 'finding_history is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `finding_history_no_update` BEFORE UPDATE ON `finding_history` BEGIN SELECT RAISE(ABORT, 'finding_history is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `finding_history_no_delete` BEFORE DELETE ON `finding_history`
WHEN NOT EXISTS (SELECT 1 FROM `history_pruning` WHERE `finding_id` = OLD.`finding_id` AND OLD.`at_ms` < `before_ms`)
BEGIN SELECT RAISE(ABORT, 'finding_history is append-only'); END;
--> statement-breakpoint
-- REPLACE deletes without asking the trigger for deletes.
CREATE TRIGGER `operator_state_history_no_replace` BEFORE INSERT ON `operator_state_history`
WHEN EXISTS (SELECT 1 FROM `operator_state_history` WHERE `seq` = NEW.`seq`)
BEGIN SELECT RAISE(ABORT, 'operator_state_history is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `operator_state_history_no_update` BEFORE UPDATE ON `operator_state_history` BEGIN SELECT RAISE(ABORT, 'operator_state_history is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `operator_state_history_no_delete` BEFORE DELETE ON `operator_state_history` BEGIN SELECT RAISE(ABORT, 'operator_state_history is append-only'); END;
--> statement-breakpoint
-- Counts by sort are kept as findings change, so that a page of 100,000 and /metrics cost the same as of ten.
CREATE TRIGGER `findings_count_insert` AFTER INSERT ON `findings` BEGIN
  INSERT INTO `finding_counts` (`state`, `severity_rank`, `disposition`, `category`, `count`)
  VALUES (NEW.`state`, NEW.`severity_rank`, NEW.`disposition`, NEW.`category`, 1)
  ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `findings_count_delete` AFTER DELETE ON `findings` BEGIN
  UPDATE `finding_counts` SET `count` = `count` - 1
  WHERE `state` = OLD.`state` AND `severity_rank` = OLD.`severity_rank` AND `disposition` = OLD.`disposition` AND `category` = OLD.`category`;
END;
--> statement-breakpoint
CREATE TRIGGER `findings_count_update` AFTER UPDATE OF `state`, `severity_rank`, `disposition`, `category` ON `findings`
WHEN OLD.`state` <> NEW.`state` OR OLD.`severity_rank` <> NEW.`severity_rank` OR OLD.`disposition` <> NEW.`disposition` OR OLD.`category` <> NEW.`category`
BEGIN
  UPDATE `finding_counts` SET `count` = `count` - 1
  WHERE `state` = OLD.`state` AND `severity_rank` = OLD.`severity_rank` AND `disposition` = OLD.`disposition` AND `category` = OLD.`category`;
  INSERT INTO `finding_counts` (`state`, `severity_rank`, `disposition`, `category`, `count`)
  VALUES (NEW.`state`, NEW.`severity_rank`, NEW.`disposition`, NEW.`category`, 1)
  ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;
