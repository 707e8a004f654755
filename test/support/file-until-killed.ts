/**
 * A process that files and decides until it is killed: `<database> <first index>`. A line on stdout says what was
 * acknowledged to it. Started again at an index, it repeats that one with the same request id, as a client does.
 */
import { writeSync } from 'node:fs';
import { createFindingStore } from '../../findings/store.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { DETECTORS, NOW_MS, runAt, signalOf } from './findings.ts';

const [path = '', first = '0'] = process.argv.slice(2);
const store = createFindingStore({
  db: openDatabase({ path }),
  newId: createIds(() => Date.now()),
  detectorTypes: DETECTORS,
});
const acknowledge = (what: string): void => {
  writeSync(1, `${what}\n`);
};

const ENDLESS = 1_000_000;
for (let index = Number(first); index < ENDLESS; index += 1) {
  const nowMs = NOW_MS + index;
  const { findingId } = store.file(signalOf({ subject: `s${index}` }), runAt(nowMs));
  acknowledge(`filed ${index} ${findingId}`);
  store.act(findingId, { kind: 'note', by: 'ann', note: `note ${index}` }, { nowMs, requestId: `note-${index}` });
  acknowledge(`noted ${index}`);
  store.act(findingId, { kind: 'acknowledge', by: 'ann', note: `seen ${index}` }, { nowMs, requestId: `ack-${index}` });
  acknowledge(`acknowledged ${index}`);
  if (index % 4 !== 0) continue;
  store.fileBatch(
    Array.from({ length: 30 }, (_, at) => signalOf({ subject: `b${index}-${at}` })),
    runAt(nowMs),
  );
  acknowledge(`batched ${index}`);
}
