/** What is read of a guest's config. Pure. */
import { z } from 'zod';
import { flag, text } from '../proxmox/answer-fields.ts';

export const guestConfigSchema = z.looseObject({
  onboot: flag,
  /** `1`, `enabled=1,fstrim_cloned_disks=1`; with `enabled=0` or absent there is none. */
  agent: text,
  /** `creation-qemu=9.0.2,ctime=1731400000`; since version 7.1, virtual machines only. */
  meta: text,
});
export type GuestConfig = z.infer<typeof guestConfigSchema>;

/** Seconds of the epoch as the config has them; null: it does not tell. */
export const bornAtOf = ({ meta = '' }: GuestConfig): string | null =>
  /(?:^|,)ctime=(\d{6,12})(?:,|$)/.exec(meta)?.[1] ?? null;

export const hasAgent = ({ agent = '' }: GuestConfig): boolean =>
  /^(?:enabled=)?(?:1|true|yes|on)(?:,|$)/.test(agent) || /,enabled=1(?:,|$)/.test(agent);

/** Mount points and disks with `backup=0`. */
export const leftOutOf = (config: GuestConfig): readonly string[] =>
  Object.entries(config).flatMap(([name, value]) =>
    /^(?:mp|scsi|virtio|sata|ide)\d+$/.test(name) &&
    typeof value === 'string' &&
    /(?:^|,)backup=(?:0|no|false|off)(?:,|$)/.test(value)
      ? [name]
      : [],
  );
