/** Tags of a guest: its own, and the pool that it is in. */
import { cleanText } from '../../runtime/text.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';

/** Version 7 separates tags by `;`, older entries by commas or blanks. */
export const guestTags = (tags: string | undefined, pool: string | undefined): readonly string[] => {
  const own = (tags ?? '').split(/[;,\s]+/).map((tag) => cleanText(tag, proxmoxVeLimits.tagLength));
  const all = [...own, ...(pool === undefined ? [] : [`pool:${cleanText(pool, proxmoxVeLimits.tagLength)}`])];
  return [...new Set(all.filter((tag) => tag !== ''))].slice(0, proxmoxVeLimits.tagsPerGuest);
};
