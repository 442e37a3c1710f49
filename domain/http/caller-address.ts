import { ipv6Groups } from '../common/ipv6.ts'

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/
const IPV6_WITH_PORT = /^\[([^\]]+)\](?::\d{1,5})?$/

const MAPPED = ['0', '0', '0', '0', '0', 'ffff']

const foldedIpv6 = (groups: string[]): string => {
  if (!MAPPED.every((group, index) => groups[index] === group)) return `${groups.slice(0, 4).join(':')}::/64`
  const octets = groups.slice(6).flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
  return octets.join('.')
}

/**
 * One spelling per caller: an IPv4 address in dotted form, also when it is mapped into IPv6, or the /64 network of an IPv6 address. A port
 * or a zone is dropped. Null for text that is no address.
 */
export const normaliseAddress = (text: string): string | null => {
  const bare = IPV4_WITH_PORT.exec(text)?.[1] ?? IPV6_WITH_PORT.exec(text)?.[1] ?? text
  if (IPV4.test(bare)) return bare
  const groups = ipv6Groups(bare.split('%')[0] ?? '')
  return groups === null ? null : foldedIpv6(groups)
}

/**
 * Address that counts as the caller: the socket's, or with trusted proxies the hop that many places from the right of `X-Forwarded-For`. A
 * hop that is no address counts as the proxy's own address.
 */
export const callerAddress = (socketAddress: string | undefined, forwardedFor: string | undefined, trustedProxies: number): string => {
  const socket = normaliseAddress(socketAddress ?? '') ?? 'unknown'
  if (trustedProxies === 0) return socket
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim())
  return normaliseAddress(hops.at(-trustedProxies) ?? hops[0] ?? '') ?? socket
}

/** Network of a caller by its spelling, as people write it: the /24 of an IPv4 address, the /48 of an IPv6 network; null for an unknown one. */
export const networkPrefix = (address: string): string | null => {
  const [first, second, third] = address.split(/[.:]/)
  if (third === undefined) return null
  return IPV4.test(address) ? `${first}.${second}.${third}.0/24` : `${first}:${second}:${third}::/48`
}

/** Neighbours of a caller by its spelling: the /24 of an IPv4 address, or the /48 of an IPv6 network, which one owner often holds whole. */
export const callerNetwork = (address: string): string => address.split(/[.:]/).slice(0, 3).join('.')
