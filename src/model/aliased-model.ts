/** A model that is told aliases in place of names, and whose words come home with the names in them. */
import type { Aliases } from './aliases.ts';
import { createRequestMap } from './map-requests.ts';
import { mapCallTexts } from './map-texts.ts';
import type { Model } from './model.ts';

/** What could be the beginning of an alias that the next piece goes on with. */
const UNFINISHED = /[a-z0-9-]{1,40}$/;

/** Reveals a stream: holds back what may be half an alias until it is known to be none. */
const revealing = (aliases: Aliases, onDelta: (text: string) => void) => {
  let held = '';
  const tell = (text: string): void => {
    if (text !== '') onDelta(aliases.reveal(text));
  };
  return {
    push: (piece: string): void => {
      const text = held + piece;
      held = UNFINISHED.exec(text)?.[0] ?? '';
      tell(text.slice(0, text.length - held.length));
    },
    end: (): void => {
      tell(held);
      held = '';
    },
  };
};

export const aliasedModel = (model: Model, aliases: Aliases): Model => {
  const hide = createRequestMap(aliases.hide, aliases.names);
  return {
    provider: model.provider,
    name: model.name,
    contextTokens: model.contextTokens,
    turn: async (request, { onDelta, ...options }) => {
      const { reveal } = aliases;
      const stream = onDelta === undefined ? null : revealing(aliases, onDelta);
      const turn = await model.turn(hide(request), {
        ...options,
        ...(stream === null ? {} : { onDelta: stream.push }),
      });
      stream?.end();
      return {
        ...turn,
        text: reveal(turn.text),
        toolCalls: turn.toolCalls.map((call) => mapCallTexts(call, reveal)),
      };
    },
  };
};
