/** The settings of one `proxmox-ve` source. */
import { z } from 'zod';
import { PROXMOX_VE } from '../proxmox/product.ts';
import { checkCredentialFields, proxmoxConfigFields } from '../proxmox/proxmox-config-fields.ts';

const fields = proxmoxConfigFields(PROXMOX_VE.defaultPort, { tokenId: 'patrold@pve!read', user: 'patrold@pve' });

export const proxmoxVeConfigSchema = z
  .strictObject({
    ...fields,
    smart: z
      .enum(['all', 'ssd', 'off'])
      .default('all')
      .describe(
        'Disks that are asked for their health. Proxmox wakes a disk that sleeps; `ssd` lets rotating ones rest.',
      ),
    agent: z
      .boolean()
      .default(true)
      .describe('Whether guest agents are asked, for addresses, file systems and whether they answer.'),
  })
  .superRefine((config, context) =>
    checkCredentialFields(config, (path, message) => context.addIssue({ code: 'custom', path: [path], message })),
  );

export type ProxmoxVeConfig = z.infer<typeof proxmoxVeConfigSchema>;
