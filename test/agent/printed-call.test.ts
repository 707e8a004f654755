import { expect, test } from 'vitest';
import { printedCall } from '../../src/agent/printed-call.ts';

const tools = new Set(['find_resources', 'patrol_report_finding']);

test.each([
  ['{"name": "find_resources", "arguments": {"kind": "disk"}}', 'find_resources'],
  ['Sure!\n```json\n{"tool": "find_resources", "parameters": {}}\n```', 'find_resources'],
  [
    '<tool_call>\n{"name": "patrol_report_finding", "arguments": {"title": "a } in it"}}\n</tool_call>',
    'patrol_report_finding',
  ],
  ['{"type":"function","function":{"name":"find_resources","arguments":"{}"}}', 'find_resources'],
  ['find_resources({"kind":"disk"})', 'find_resources'],
  ['<function=find_resources>{"kind":"disk"}</function>', 'find_resources'],
  ['I will look at {"kind":"x"} and then {"name":"find_resources","args":{}}', 'find_resources'],
])('%s is a call', (text, name) => {
  expect(printedCall(text, tools)).toBe(name);
});

test.each([
  'Everything is fine.',
  'I called find_resources and found nothing (all is well).',
  '{"name": "rm_rf", "arguments": {}}',
  '{"name": "find_resources"}',
  '{"name": "find_resources", "arguments": ',
  'The config has {"name": "nas1", "arguments": []}.',
  '',
])('%s is none', (text) => {
  expect(printedCall(text, tools)).toBeNull();
});
