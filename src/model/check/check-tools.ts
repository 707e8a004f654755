/** Whether a model calls a tool when it is told to, and goes on with what the tool said. */
import type { Model, ModelMessage, ModelRequest, ModelTurn, TurnOptions } from '../model.ts';
import { type CheckResult, checked } from './check-result.ts';

/** The whole conversation is this; nothing of the operator's is in it. */
const TOOL = {
  name: 'report_word',
  description: 'Reports one word.',
  inputSchema: {
    type: 'object',
    properties: { word: { type: 'string', description: 'the word to report' } },
    required: ['word'],
    additionalProperties: false,
  },
};
const WORD = 'lighthouse';
/** Thinking models think first. */
const MAX_OUTPUT_TOKENS = 1_024;

const request = (messages: readonly ModelMessage[]): ModelRequest => ({
  system: 'You take part in a short technical check. Do what is asked, and nothing else.',
  messages,
  tools: [TOOL],
  maxOutputTokens: MAX_OUTPUT_TOKENS,
});

const TASK: ModelMessage = {
  role: 'user',
  text: `Call the tool ${TOOL.name} once, with the word "${WORD}". When it has answered, say "done".`,
};

const tools = checked('tools');

const PARSER_HINT =
  'the server does not turn the calls of this model into calls: llama.cpp needs --jinja, vLLM --enable-auto-tool-choice with the parser of the model; or choose a model that is made for tools';

/** Null: the call is as it should be. */
const wrongCall = ({ toolCalls, text, finish }: ModelTurn): CheckResult | null => {
  const [call] = toolCalls;
  if (call === undefined) {
    if (finish === 'length') return tools('failed', `it wrote ${MAX_OUTPUT_TOKENS} tokens without coming to a call`);
    return text.includes(TOOL.name) || text.includes(WORD)
      ? tools('failed', `it printed its call as text: ${PARSER_HINT}`)
      : tools('failed', 'it did not call the tool that it was told to call: choose a model that is made for tools');
  }
  if (call.malformed !== undefined) return tools('failed', 'the arguments of its call are no JSON');
  if (call.name !== TOOL.name) return tools('failed', 'it called a tool that does not exist');
  const given = call.arguments as { readonly word?: unknown } | null;
  return typeof given === 'object' && given?.word === WORD
    ? null
    : tools('failed', 'it called the tool with other arguments than it was told to');
};

/** The first turn of the check: whether there is a model at all is seen by it. Rejects with a `ModelFailure`. */
export const askForCall = (model: Model, options: TurnOptions): Promise<ModelTurn> =>
  model.turn(request([TASK]), options);

/** Whether the call was right, and whether the model goes on after it. Rejects with a `ModelFailure`. */
export const checkTools = async (model: Model, turn: ModelTurn, options: TurnOptions): Promise<CheckResult> => {
  const wrong = wrongCall(turn);
  if (wrong !== null) return wrong;
  const { text, toolCalls, opaque } = turn;
  const after = await model.turn(
    request([
      TASK,
      { role: 'assistant', text, toolCalls, opaque },
      {
        role: 'tool',
        replies: toolCalls.map(({ id, name }) => ({ callId: id, name, text: 'reported', isError: false })),
      },
    ]),
    options,
  );
  if (after.toolCalls.length > 0) return tools('failed', 'it called the tool again after it had its answer');
  return tools('ok', 'it calls a tool as it is told to, and goes on with the answer');
};
