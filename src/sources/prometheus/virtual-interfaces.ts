/**
 * Network interfaces that are no hardware of the machine, by the names that their makers give them: their MAC
 * addresses are made up, or those of others. The loopback device, bridges, bonds' and VLANs' own names, containers,
 * VMs, VPNs, Proxmox.
 */
export const VIRTUAL_INTERFACES =
  'lo|br.*|virbr.*|vmbr.*|fwbr.*|fwpr.*|fwln.*|veth.*|vnet.*|tap.*|tun.*|wg.*|docker.*|podman.*|cni.*|cali.*|flannel.*|cilium.*|lxc.*|kube.*|nodelocaldns|dummy.*|ifb.*|bond.*|team.*|vlan.*|.*\\\\..*|.*@.*|vxlan.*|geneve.*|gre.*|sit.*|ip6tnl.*|ip6_vti.*|ipvlan.*|macv.*|tailscale.*|zt.*|ovs-.*|nlmon.*|can.*|usbmon.*';

/** Six hex pairs, and not the address of nobody. */
export const isHardwareAddress = (address: string): boolean =>
  /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(address) && !/^(?:00:){5}00$|^(?:ff:){5}ff$/i.test(address);
