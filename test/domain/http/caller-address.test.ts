import { describe, expect, test } from '@jest/globals'
import { callerAddress, callerNetwork, networkPrefix, normaliseAddress } from '../../../domain/http/caller-address.ts'

describe('an address', () => {
  test.each([
    ['1.1.1.1', '1.1.1.1'],
    ['1.1.1.1:80', '1.1.1.1'],
    ['::ffff:1.1.1.1', '1.1.1.1'],
    ['::FFFF:0101:0101', '1.1.1.1'],
    ['0:0:0:0:0:ffff:1.1.1.1', '1.1.1.1'],
    ['[::ffff:1.1.1.1]:443', '1.1.1.1'],
    ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001:0000:0000:0000:0007', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['[2001:db8:0:1::7]', '2001:db8:0:1::/64'],
    ['[2001:db8:0:1::7]:65535', '2001:db8:0:1::/64'],
    ['2001:db8:0:2::7', '2001:db8:0:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s counts as %s', (text, expected) => {
    expect(normaliseAddress(text)).toBe(expected)
  })

  test.each([
    ...['unknown', '_hidden', '', '1.1.1', '1.1.1.1.', '01.1.1.1', '256.1.1.1', '0x1.1.1.1', '1', '1.1.1.1:port'],
    ...['::1::', '12345::', 'x'.repeat(3_000)],
  ])('%s is none', (text) => {
    expect(normaliseAddress(text)).toBeNull()
  })
})

describe('the caller', () => {
  test.each([
    ['10.0.0.1', '1.1.1.1', 0, '10.0.0.1'],
    ['::ffff:10.0.0.1', undefined, 0, '10.0.0.1'],
    ['10.0.0.1', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
    ['10.0.0.1', '6.6.6.6, 1.1.1.1, 10.0.0.2', 2, '1.1.1.1'],
    ['10.0.0.1', '6.6.6.6, 1.1.1.1:80', 1, '1.1.1.1'],
    ['10.0.0.1', '1.1.1.1', 2, '1.1.1.1'],
    ['10.0.0.1', undefined, 1, '10.0.0.1'],
    ['10.0.0.1', '6.6.6.6, unknown', 1, '10.0.0.1'],
    ['10.0.0.1', '6.6.6.6, ', 1, '10.0.0.1'],
    ['10.0.0.1', 'a'.repeat(3_000), 1, '10.0.0.1'],
    [undefined, undefined, 0, 'unknown'],
  ])('of the socket %s with the hops %s behind %s proxies is %s', (socket, hops, proxies, expected) => {
    expect(callerAddress(socket, hops, proxies)).toBe(expected)
  })
})

test.each([
  ['192.0.2.7', '192.0.2'],
  ['2001:db8:1:2::/64', '2001.db8.1'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(callerNetwork(address)).toBe(network)
})

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2::7', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['no address', null],
])('the network of %s is %s', (address, expected) => {
  expect(networkPrefix(normaliseAddress(address) ?? 'unknown')).toBe(expected)
})
