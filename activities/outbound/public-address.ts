import { BlockList, isIP } from 'node:net'
import { ipv6Groups } from '../../domain/common/ipv6.ts'

/**
 * IPv4 ranges that are not of the public internet. Sources: the registries of IANA for special-purpose and multicast IPv4 addresses, as of
 * October 2025, also what they call reachable; and addresses that a cloud answers at for its own machines.
 */
const CLOSED_V4: readonly (readonly [net: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this network, RFC 791
  ['10.0.0.0', 8], // private use, RFC 1918
  ['100.64.0.0', 10], // shared address space, RFC 6598; metadata of Alibaba Cloud
  ['127.0.0.0', 8], // loopback, RFC 1122
  ['168.63.129.16', 32], // Azure: learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  ['169.254.0.0', 16], // link local, RFC 3927; metadata of most clouds
  ['172.16.0.0', 12], // private use, RFC 1918
  ['192.0.0.0', 24], // protocol assignments, RFC 6890; metadata of Oracle Cloud
  ['192.0.2.0', 24], // documentation, RFC 5737
  ['192.31.196.0', 24], // AS112, RFC 7535
  ['192.52.193.0', 24], // AMT, RFC 7450
  ['192.88.99.0', 24], // 6to4 relays, RFC 7526
  ['192.168.0.0', 16], // private use, RFC 1918
  ['192.175.48.0', 24], // AS112, RFC 7534
  ['198.18.0.0', 15], // benchmarks, RFC 2544
  ['198.51.100.0', 24], // documentation, RFC 5737
  ['203.0.113.0', 24], // documentation, RFC 5737
  ['224.0.0.0', 4], // multicast, RFC 5771
  ['240.0.0.0', 4], // reserved, with the broadcast, RFC 1112
]

/**
 * Ranges of global unicast that are not public. Source: the registry of IANA for special-purpose IPv6 addresses, as of October 2025. All its
 * other ranges lie outside global unicast.
 */
const CLOSED_V6: readonly (readonly [net: string, prefix: number])[] = [
  ['2001::', 23], // protocol assignments, RFC 2928: Teredo, ORCHID, AMT, AS112, benchmarks
  ['2001:db8::', 32], // documentation, RFC 3849
  ['2002::', 16], // 6to4, RFC 3056
  ['2620:4f:8000::', 48], // AS112, RFC 7534
  ['3ffe::', 16], // the former 6bone, RFC 3701
  ['3fff::', 20], // documentation, RFC 9637
]

const closed = new BlockList()
for (const [net, prefix] of CLOSED_V4) closed.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of CLOSED_V6) closed.addSubnet(net, prefix, 'ipv6')
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether the interface identifier is that of ISATAP, which embeds an IPv4 address. Source: RFC 5214, 6.1. */
const isIsatap = (address: string): boolean => {
  const [, , , , flags, mark] = ipv6Groups(address) ?? []
  return mark === '5efe' && ['0', '100', '200', '300'].includes(flags ?? '')
}

/**
 * True for an address of the public internet. For IPv6 that is global unicast only, without addresses that embed one of IPv4 (mapped,
 * compatible, translated, tunnelled).
 */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !closed.check(address, 'ipv4')
    case 6:
      return globalUnicast.check(address, 'ipv6') && !closed.check(address, 'ipv6') && !isIsatap(address)
    default:
      return false
  }
}
