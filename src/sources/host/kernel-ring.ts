/** The kernel's own log buffer by `dmesg --raw`, for machines without a journal. */
import { failureOf, type Trouble, troubleOf } from './command-trouble.ts';
import type { HostContext } from './host-context.ts';
import type { KernelMessage } from './oom-messages.ts';

/** Lines `<6>[   12.345678] text`; the time is since boot. */
const parseKernelRing = (text: string, bootedAtMs: number): readonly KernelMessage[] =>
  [...text.matchAll(/^<\d+>\[\s*(\d+\.\d+)\] (.*)$/gm)].flatMap(([, seconds, message]) =>
    message === undefined ? [] : [{ atMs: Math.round(bootedAtMs + Number(seconds) * 1_000), text: message }],
  );

/** util-linux and busybox both know `-r`. */
export const readKernelRing = async (host: HostContext): Promise<readonly KernelMessage[] | Trouble> => {
  const result = await host.commands.run('dmesg', ['-r']);
  const trouble = troubleOf(result, 'dmesg', 'install util-linux');
  if (trouble !== null || result.kind !== 'exited') return trouble ?? { code: 'failed', reason: '`dmesg` did not run' };
  if (result.code !== 0) return failureOf(result, 'dmesg');
  const messages = parseKernelRing(result.stdout, host.nowMs - host.uptimeMs);
  // A kernel has always said something.
  return messages.length > 0 ? messages : { code: 'empty', reason: '`dmesg` shows nothing at all' };
};
