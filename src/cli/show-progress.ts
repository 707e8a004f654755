/** A run's events on stderr: one redrawn line on a terminal, plain lines elsewhere. */
import type { RunEvent } from '../patrol/events.ts';
import { displayWidth } from './table.ts';
import { styled, type Terminal } from './terminal.ts';

const CLEAR_LINE = '\r\u001b[K';

/** What a model says is for the transcript; what it calls is progress. */
const modelLine = (event: Extract<RunEvent, { readonly kind: 'model_event' }>['event']): string | null => {
  switch (event.kind) {
    case 'turn_begun':
      return `model: turn ${event.turn} of ${event.maxTurns}`;
    case 'tool_ended':
      return `model: ${event.tool}${event.error === null ? '' : ` ${event.refused ? 'refused' : 'failed'} (${event.error})`}`;
    case 'corrected':
      return event.why === 'printed_call' ? 'model: printed a call, corrected' : 'model: was cut off, asked to go on';
    case 'text':
    case 'tool_begun':
    case 'used':
    case 'loop_ended':
      return null;
  }
};

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
    case 'model_event':
      return modelLine(event.event);
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
