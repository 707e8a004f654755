/** What one run of smartctl tells: a report that is of use, or why there is none. */
import type { CommandResult } from '../../runtime/command.ts';
import { quoteOutput, type Trouble, troubleOf } from './command-trouble.ts';
import { parseJson } from './parse-json.ts';
import { KNOWN_FORMAT, type SmartReport, smartReportSchema } from './smart-schema.ts';

/** `-n standby,3`: of its own accord smartctl never sets both of these bits. */
export const ASLEEP_STATUS = 3;
const SMART_REMEDY = 'install smartmontools 7.0 or later';

export interface SmartAccess {
  readonly path: string;
  /** What the operator does where this process may not ask disks. */
  readonly remedy: string;
}

export const smartAnswer = (result: CommandResult, access: SmartAccess): SmartReport | Trouble => {
  if (result.kind !== 'exited') return troubleOf(result, 'smartctl', SMART_REMEDY) ?? unclear(access.path);
  const report = smartReportSchema.safeParse(parseJson(result.stdout)).data;
  if (report === undefined) return notJson(result, access);
  const [format] = report.json_format_version;
  if (format !== KNOWN_FORMAT) {
    return { code: 'not_supported', reason: `smartctl's JSON has format version ${format}, known is ${KNOWN_FORMAT}` };
  }
  const messages = (report.smartctl.messages ?? []).map(({ string }) => string).join('\n');
  return whyUseless(report, messages, result.code, access) ?? report;
};

const unclear = (path: string): Trouble => ({ code: 'failed', reason: `smartctl gave no answer about ${path}` });

/** Versions before 7.0 know no `--json`, and print their usage. */
const notJson = ({ stdout, stderr }: { stdout: string; stderr: string }, { path }: SmartAccess): Trouble => {
  if (/unrecognized option|INVALID OPTION|UNRECOGNIZED OPTION/i.test(`${stdout}${stderr}`)) {
    return { code: 'not_supported', reason: `this smartctl knows no JSON: ${SMART_REMEDY}` };
  }
  const said = quoteOutput(stderr) || quoteOutput(stdout);
  return { code: 'malformed', reason: `smartctl printed no JSON about ${path}${said === '' ? '' : `: ${said}`}` };
};

const DENIED = /permission denied|operation not permitted/i;
/** The disk is in /sys, so what is missing is the device file in this process's own /dev. */
const HIDDEN = /no such (?:device|file)/i;
const UNKNOWN_TYPE = /unable to detect device type|unknown usb bridge|please specify device type|try adding '-d/i;

const whyUseless = (
  report: SmartReport,
  messages: string,
  code: number,
  { path, remedy }: SmartAccess,
): Trouble | null => {
  const said = quoteOutput(messages);
  if (code === ASLEEP_STATUS || /in \w+(?: \w+)* mode, exit\(/i.test(messages)) {
    return { code: 'asleep', reason: `${path} is spun down and was left asleep` };
  }
  const hasHealth = report.smart_status !== undefined;
  if (!hasHealth && (DENIED.test(messages) || HIDDEN.test(messages))) {
    return { code: 'not_permitted', reason: `patrold may not ask ${path} for its health: ${remedy}` };
  }
  if (!hasHealth && UNKNOWN_TYPE.test(messages)) return { code: 'not_supported', reason: `${path}: ${said}` };
  if (report.smart_support?.available === false) {
    return { code: 'not_supported', reason: `${path} has no SMART, or what it is attached by does not pass it on` };
  }
  if (report.smart_support?.enabled === false) {
    return { code: 'not_supported', reason: `SMART is switched off on ${path}: \`smartctl -s on ${path}\`` };
  }
  if (hasHealth || hasLog(report)) return null;
  return {
    code: 'failed',
    reason: `smartctl ended with ${code} and without health or log of ${path}${said === '' ? '' : `: ${said}`}`,
  };
};

const hasLog = (report: SmartReport): boolean =>
  (report.ata_smart_attributes?.table.length ?? 0) > 0 ||
  report.nvme_smart_health_information_log !== undefined ||
  report.scsi_error_counter_log !== undefined ||
  report.scsi_grown_defect_list !== undefined;
