/** Asks one disk for its health with smartctl. */
import type { Trouble } from './command-trouble.ts';
import type { HostContext } from './host-context.ts';
import { ASLEEP_STATUS, smartAnswer } from './smart-answer.ts';
import type { SmartReport } from './smart-schema.ts';
import type { SmartTarget } from './smart-target.ts';

export const askSmart = async (host: HostContext, target: SmartTarget): Promise<SmartReport | Trouble> => {
  const answer = await ask(host, target, target.type);
  const isUnknown = 'code' in answer && answer.code === 'not_supported';
  return isUnknown && target.fallbackType !== null ? ask(host, target, target.fallbackType) : answer;
};

const ask = async ({ commands, reader }: HostContext, { path }: SmartTarget, type: string | null) => {
  const typeArgs = type === null ? [] : ['-d', type];
  const args = ['--json=c', '-n', `standby,${ASLEEP_STATUS}`, '-x', ...typeArgs, path];
  const remedy =
    reader.root === '/'
      ? "give the service CAP_SYS_RAWIO, CAP_SYS_ADMIN and the disks' devices (the systemd drop-in for SMART, see docs)"
      : 'start the container with its disks (`--device`), CAP_SYS_RAWIO and CAP_SYS_ADMIN';
  return smartAnswer(await commands.run('smartctl', args), { path, remedy });
};
