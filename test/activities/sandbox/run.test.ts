import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { createSandbox } from '../../../activities/sandbox/probe.ts'
import { attempt, machineProbe, machineSandbox, reportSkipped, SMALL, textOf } from '../../support/sandbox/runner.ts'

const WITH_BUBBLEWRAP = 10
reportSkipped(WITH_BUBBLEWRAP)
const inSandbox = machineProbe.ok ? describe : describe.skip

describe('a machine without a sandbox', () => {
  test('says that bubblewrap is missing', async () => {
    expect(await createSandbox({ bwrap: null }).probe()).toEqual({
      ok: false,
      reason: expect.stringContaining('bubblewrap is not installed'),
    })
  })

  test('says what bubblewrap answered', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bwrap-'))
    const bwrap = join(folder, 'bwrap')
    const script =
      '#!/bin/sh\nif [ "$1" = --version ]; then echo bubblewrap 0; else echo "bwrap: no permissions to create a namespace" >&2; exit 1; fi\n'
    writeFileSync(bwrap, script, { mode: 0o755 })
    const probe = await createSandbox({ bwrap }).probe()
    rmSync(folder, { recursive: true })
    expect(probe).toEqual({ ok: false, reason: expect.stringMatching(/bubblewrap|bwrap|prlimit|setpriv|Linux/) })
  })
})

inSandbox('a command in the sandbox', () => {
  test('reads its inputs and standard input, and reports its exit code', async () => {
    const result = await attempt({ command: ['sh', '-c', 'cat /in/a/text; cat; exit 3'], files: { '/in/a/text': 'one ' }, stdin: 'two' })
    expect([result.outcome, result.exitCode, textOf(result)]).toEqual(['exited', 3, 'one two'])
  })

  test('gets a variable, and none of the runner', async () => {
    process.env.RUNNER_SECRET = 'secret'
    const result = await attempt({ command: ['env'], env: { CI: '1' } })
    const names = textOf(result)
      .split('\n')
      .flatMap((line) => line.split('=')[0] || [])
    expect(names.sort()).toEqual(['CI', 'HOME', 'LANG', 'PATH', 'PWD', 'TMPDIR'])
  })

  test('runs Node with its memory closed to other processes', async () => {
    const script =
      'const { spawnSync } = require("node:child_process"); process.stdout.write(String(spawnSync("ls", ["/proc/" + process.pid + "/fd"]).stderr))'
    const open = await attempt({ command: ['node', '-e', script] })
    const closed = await attempt({ command: ['node', '-e', script], closedNode: true })
    expect([textOf(open), textOf(closed)]).toEqual(['', expect.stringContaining('Permission denied')])
  })

  test('does not start with an input of another hash', async () => {
    const spec = {
      inputs: [{ path: '/in/a', sha256: '0'.repeat(64) }],
      command: ['true'],
      env: {},
      stdin: '',
      limits: SMALL,
      network: 'none',
      closedNode: false,
    } as const
    const result = await machineSandbox.run(spec, new Map([['0'.repeat(64), Buffer.from('other')]]), new AbortController().signal)
    expect([result.outcome, result.exitCode]).toEqual(['setup_failed', null])
  })

  test('has no exit code when the sandbox cannot be set up', async () => {
    const result = await attempt({ command: ['true'], limits: { diskBytes: 4096 }, files: { '/in/passwd/x': 'a', '/in/passwd': 'b' } })
    expect([result.outcome, result.exitCode, result.reason]).toEqual(['setup_failed', null, expect.stringMatching(/./)])
  })

  test('ends when its caller stops', async () => {
    const controller = new AbortController()
    const running = attempt({ command: ['sleep', '100'] }, controller.signal)
    controller.abort()
    expect((await running).outcome).toBe('killed')
  })

  test('does not start for a caller that has stopped', async () => {
    expect((await attempt({ command: ['sleep', '100'] }, AbortSignal.abort())).outcome).toBe('killed')
  })

  test('is not known to the shell: a missing program is exit code 127', async () => {
    expect(await attempt({ command: ['no-such-program'] })).toMatchObject({ outcome: 'exited', exitCode: 127 })
  })

  test('leaves output up to its bound', async () => {
    const result = await attempt({ command: ['sh', '-c', 'while :; do printf 0123456789; done'], limits: { outputBytes: 25 } })
    expect([result.outcome, result.truncated, textOf(result)]).toEqual(['output_limit', true, '0123456789012345678901234'])
  })

  test('runs beside others', async () => {
    const results = await Promise.all([1, 2, 3].map((code) => attempt({ command: ['sh', '-c', `exit ${code}`] })))
    expect(results.map(({ exitCode }) => exitCode)).toEqual([1, 2, 3])
  })
})
