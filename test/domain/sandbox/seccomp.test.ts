import { describe, expect, test } from '@jest/globals'
import { sha256 } from 'viem/utils'
import { type FilterArch, seccompFilter } from '../../../domain/sandbox/seccomp.ts'

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const EPERM = 0x50001
const ENOSYS = 0x50026
const EAFNOSUPPORT = 0x50061
const X64 = 0xc000003e
const ARM64 = 0xc00000b7

interface Call {
  arch: number
  number: number
  args?: readonly number[]
}

/** What the kernel keeps of a call for a filter. */
const callData = ({ arch, number, args = [] }: Call): DataView => {
  const view = new DataView(new ArrayBuffer(64))
  view.setUint32(0, number, true)
  view.setUint32(4, arch, true)
  args.forEach((value, index) => {
    view.setBigUint64(16 + 8 * index, BigInt(value), true)
  })
  return view
}

/** Runs a filter as the kernel does. Throws for an instruction that it does not use, and where a jump leaves the program. */
const runFilter = (bytes: Uint8Array, call: Call): number => {
  const program = new DataView(bytes.buffer)
  const data = callData(call)
  let value = 0
  for (let at = 0; at < bytes.length / 8; at += 1) {
    const [code, ifTrue, ifFalse] = [program.getUint16(at * 8, true), program.getUint8(at * 8 + 2), program.getUint8(at * 8 + 3)]
    const constant = program.getUint32(at * 8 + 4, true)
    const jump = (holds: boolean): void => {
      at += holds ? ifTrue : ifFalse
    }
    if (code === 0x20) value = data.getUint32(constant, true)
    else if (code === 0x15) jump(value === constant)
    else if (code === 0x35) jump(value >= constant)
    else if (code === 0x45) jump((value & constant) !== 0)
    else if (code === 0x06) return constant
    else throw new Error(`instruction ${at} has the code ${code}`)
  }
  throw new Error('the program ended without an answer')
}

const VECTORS: [string, FilterArch, Call, number][] = [
  ['read', 'x64', { arch: X64, number: 0 }, ALLOW],
  ['execve', 'x64', { arch: X64, number: 59 }, ALLOW],
  ['prlimit64', 'x64', { arch: X64, number: 302 }, ALLOW],
  ['ptrace', 'x64', { arch: X64, number: 101 }, EPERM],
  ['mount', 'x64', { arch: X64, number: 165 }, EPERM],
  ['unshare', 'x64', { arch: X64, number: 272 }, EPERM],
  ['keyctl', 'x64', { arch: X64, number: 250 }, EPERM],
  ['bpf', 'x64', { arch: X64, number: 321 }, EPERM],
  ['userfaultfd', 'x64', { arch: X64, number: 323 }, EPERM],
  ['clock_settime', 'x64', { arch: X64, number: 227 }, EPERM],
  ['iopl', 'x64', { arch: X64, number: 172 }, EPERM],
  ['sched_setaffinity', 'x64', { arch: X64, number: 203 }, EPERM],
  ['io_uring_setup', 'x64', { arch: X64, number: 425 }, ENOSYS],
  ['clone3', 'x64', { arch: X64, number: 435 }, ENOSYS],
  ['memfd_create', 'x64', { arch: X64, number: 319 }, ENOSYS],
  ['clone of a thread', 'x64', { arch: X64, number: 56, args: [0x3d0f00] }, ALLOW],
  ['clone with a user namespace', 'x64', { arch: X64, number: 56, args: [0x10000011] }, EPERM],
  ['clone with a network', 'x64', { arch: X64, number: 56, args: [0x40000011] }, EPERM],
  ['clone whose high half alone is set', 'x64', { arch: X64, number: 56, args: [0x20_0000_0000] }, ALLOW],
  ['a Unix socket', 'x64', { arch: X64, number: 41, args: [1, 1, 0] }, ALLOW],
  ['an IPv4 socket', 'x64', { arch: X64, number: 41, args: [2, 1, 0] }, ALLOW],
  ['an IPv6 socket', 'x64', { arch: X64, number: 41, args: [10, 1, 0] }, ALLOW],
  ['a netlink socket', 'x64', { arch: X64, number: 41, args: [16, 3, 0] }, ALLOW],
  ['a socket of virtual machines', 'x64', { arch: X64, number: 41, args: [40, 1, 0] }, EAFNOSUPPORT],
  ['a packet socket', 'x64', { arch: X64, number: 41, args: [17, 3, 0] }, EAFNOSUPPORT],
  ['a pair of Unix sockets', 'x64', { arch: X64, number: 53, args: [1, 1, 0] }, ALLOW],
  ['a pair of cipher sockets', 'x64', { arch: X64, number: 53, args: [38, 1, 0] }, EAFNOSUPPORT],
  ['ioctl that types into a terminal', 'x64', { arch: X64, number: 16, args: [0, 0x5412] }, EPERM],
  ['ioctl that pastes into a console', 'x64', { arch: X64, number: 16, args: [0, 0x541c] }, EPERM],
  ['ioctl of a window size', 'x64', { arch: X64, number: 16, args: [0, 0x5413] }, ALLOW],
  ['a call of the x32 form', 'x64', { arch: X64, number: 0x40000000 + 101 }, EPERM],
  ['a call of a 32-bit program', 'x64', { arch: 0x40000003, number: 26 }, KILL],
  ['a call of another processor', 'arm64', { arch: X64, number: 0 }, KILL],
  ['read on arm64', 'arm64', { arch: ARM64, number: 63 }, ALLOW],
  ['ptrace on arm64', 'arm64', { arch: ARM64, number: 117 }, EPERM],
  ['mount on arm64', 'arm64', { arch: ARM64, number: 40 }, EPERM],
  ['unshare on arm64', 'arm64', { arch: ARM64, number: 97 }, EPERM],
  ['userfaultfd on arm64', 'arm64', { arch: ARM64, number: 282 }, EPERM],
  ['clock_settime on arm64', 'arm64', { arch: ARM64, number: 112 }, EPERM],
  ['clone3 on arm64', 'arm64', { arch: ARM64, number: 435 }, ENOSYS],
  ['clone with a user namespace on arm64', 'arm64', { arch: ARM64, number: 220, args: [0x10000011] }, EPERM],
  ['a socket of virtual machines on arm64', 'arm64', { arch: ARM64, number: 198, args: [40, 1, 0] }, EAFNOSUPPORT],
  ['ioctl that types into a terminal on arm64', 'arm64', { arch: ARM64, number: 29, args: [0, 0x5412] }, EPERM],
  // The numbers of x86-64 mean other calls there.
  ['epoll_ctl, whose number is none of a refused call', 'arm64', { arch: ARM64, number: 21 }, ALLOW],
  ['futex, whose number is none of a refused call', 'arm64', { arch: ARM64, number: 98 }, ALLOW],
]

describe('the filter of system calls', () => {
  test.each(VECTORS)('answers %s (%s)', (_name, arch, call, expected) => {
    expect(runFilter(seccompFilter(arch), call)).toBe(expected)
  })

  test.each<[FilterArch, number, string]>([
    ['x64', 169, '0xdd8095ee364492b54cca223295c6e0a83bf95848dd9e7c523846ff410e267afb'],
    ['arm64', 163, '0x0378e1972141e428d4739cc48e7b4015a87a949aa87f11f50bf560b6e7f9d9f2'],
  ])('has fixed bytes on %s', (arch, length, digest) => {
    const bytes = seccompFilter(arch)
    expect([bytes.length / 8, sha256(bytes)]).toEqual([length, digest])
    expect(bytes.length / 8).toBeLessThanOrEqual(4096)
  })
})
