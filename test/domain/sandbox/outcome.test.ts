import { describe, expect, test } from '@jest/globals'
import { findSpecFault } from '../../../domain/sandbox/command-line.ts'
import { decideEnd, type RunFacts } from '../../../domain/sandbox/outcome.ts'
import type { SandboxSpec } from '../../../schemas/sandbox/spec.ts'

const RAN: RunFacts = { began: true, stop: null, exitReport: 0, memoryKills: 0 }

describe('the end of a run', () => {
  test.each<[string, Partial<RunFacts>, string, Partial<Record<'exitCode' | 'signal', number>>]>([
    ['exit code 0', {}, 'exited', { exitCode: 0 }],
    ['exit code 127', { exitReport: 127 }, 'exited', { exitCode: 127 }],
    ['exit code 255', { exitReport: 255 }, 'exited', { exitCode: 255 }],
    ['a kill by a signal', { exitReport: 137 }, 'killed', { signal: 9 }],
    ['the end of its time', { stop: 'timeout', exitReport: null }, 'timeout', {}],
    ['too much output, whatever it exits with', { stop: 'output_limit', exitReport: 0 }, 'output_limit', {}],
    ['one process killed for memory, although the command exits with 0', { memoryKills: 1 }, 'out_of_memory', {}],
    ['memory seen from outside', { stop: 'out_of_memory', exitReport: null }, 'out_of_memory', {}],
    ['a stop by the caller', { stop: 'aborted', exitReport: null }, 'killed', { signal: 9 }],
    ['a stop by the caller before the command started', { stop: 'aborted', began: false, exitReport: null }, 'killed', { signal: 9 }],
    ['no start', { began: false, exitReport: null }, 'setup_failed', {}],
    ['no start with an exit code', { began: false, exitReport: 0 }, 'setup_failed', {}],
    ['no start in time', { began: false, stop: 'setup_timeout', exitReport: null }, 'setup_failed', {}],
    ['no report of its end', { exitReport: null }, 'setup_failed', {}],
  ])('is read from %s', (_name, part, outcome, numbers) => {
    const end = decideEnd({ ...RAN, ...part }, 'bwrap: no')
    expect(end).toEqual({
      outcome,
      exitCode: null,
      signal: null,
      ...numbers,
      reason: outcome === 'setup_failed' ? expect.stringMatching(/./) : null,
    })
  })
})

const SPEC: SandboxSpec = {
  inputs: [{ path: '/in/a', sha256: '' }],
  command: ['true'],
  env: { CI: '1' },
  stdin: '',
  limits: { wallMs: 1, cpuMs: 1, cpus: 1, memoryBytes: 1, pids: 1, diskBytes: 1, fileBytes: 1, outputBytes: 1 },
  network: 'none',
  closedNode: false,
}

describe('the spec of a run', () => {
  test('is accepted when it is well-formed', () => {
    expect(findSpecFault(SPEC)).toBeNull()
  })

  test.each<[string, Partial<SandboxSpec>]>([
    ['without a command', { command: [] }],
    ['with a null character in its command', { command: ['echo', 'a\0b'] }],
    ['with a path outside', { inputs: [{ path: '/usr/bin/env', sha256: '' }] }],
    ['with a path that climbs', { inputs: [{ path: '/in/../etc/passwd', sha256: '' }] }],
    ['with two inputs at one path', { inputs: [...SPEC.inputs, ...SPEC.inputs] }],
    ['with too many inputs', { inputs: Array.from({ length: 17 }, (_, index) => ({ path: `/in/${index}`, sha256: '' })) }],
    ['with a hostile variable', { env: { 'A=B --bind': '/' } }],
    ['without a bound', { limits: { ...SPEC.limits, pids: 0 } }],
    ['with an endless bound', { limits: { ...SPEC.limits, wallMs: Number.POSITIVE_INFINITY } }],
  ])('is refused %s', (_name, part) => {
    expect(findSpecFault({ ...SPEC, ...part })).toEqual(expect.any(String))
  })
})
