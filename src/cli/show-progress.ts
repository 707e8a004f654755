/** A run's events on stderr: one redrawn line on a terminal, plain lines elsewhere. */
import type { RunEvent } from '../patrol/events.ts';
import { displayWidth } from './table.ts';
import { styled, type Terminal } from './terminal.ts';

const CLEAR_LINE = '\r\u001b[K';

const line = (event: RunEvent): string | null => {
  switch (event.kind) {
    case 'run_started':
      return `${event.run.kind} started${event.run.scope === null ? '' : ', scoped'}`;
    case 'source_surveyed': {
      const { sourceId, outcome, resources, reason } = event.survey;
      return `${sourceId}: ${outcome}, ${resources} resources${reason === null ? '' : ` (${reason})`}`;
    }
    case 'stage_ended': {
      const { name, status, reason } = event.stage;
      return status === 'skipped' ? null : `${name}: ${status}${reason === null ? '' : `, ${reason}`}`;
    }
    case 'finding_changed':
      return `${event.change.change} ${event.change.severity} ${event.change.key} on ${event.change.resourceId}`;
    case 'stage_started':
    case 'verdicts_given':
    case 'signals_matched':
    case 'run_ended':
      return null;
  }
};

export interface Progress {
  onEvent(event: RunEvent): void;
  /** Removes the line that is redrawn, so that results start on a clean one. */
  end(): void;
}

export const createProgress = (terminal: Terminal): Progress => {
  let drawn = false;
  const redraw = (text: string): void => {
    const fitting =
      displayWidth(text) > terminal.columns - 1 ? `${[...text].slice(0, terminal.columns - 2).join('')}…` : text;
    terminal.err(`${CLEAR_LINE}${styled(terminal, 'dim', fitting)}`);
    drawn = true;
  };
  return {
    onEvent: (event) => {
      const text = line(event);
      if (terminal.isInteractive) redraw(text ?? (event.kind === 'stage_started' ? `${event.stage} …` : ''));
      else if (text !== null) terminal.err(`${text}\n`);
    },
    end: () => {
      if (drawn) terminal.err(CLEAR_LINE);
      drawn = false;
    },
  };
};
