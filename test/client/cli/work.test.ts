import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type ScriptedChain, startScriptedChain } from '../support/scripted-chain.ts'
import { json } from '../support/scripted-service.ts'

const MAIN = fileURLToPath(new URL('../../../client/cli/main.ts', import.meta.url))
const LATIN = Buffer.from('{"output":"gr\u00fcn"}', 'latin1')

let chain: ScriptedChain
beforeEach(async () => {
  chain = await startScriptedChain({
    'POST /jobs/validate-submission': (_request, response) => json(response, 200, { jobId: 'a-job', valid: true, submitSafe: true }),
  })
})
afterEach(() => chain.close())

const write = (content: string | Buffer): string => {
  const path = join(chain.state.directory, 'work.json')
  writeFileSync(path, content)
  return path
}
const sent = (): unknown[] => chain.service.of('POST /jobs/validate-submission').map(({ body }) => JSON.parse(body).submission)

describe('work', () => {
  test.each<[string, string[], unknown]>([
    ['\uFEFF{"output":"gr\u00fcn"}', [], { output: 'gr\u00fcn' }],
    ['\uFEFFgr\u00fcn\n', ['--text'], 'gr\u00fcn'],
    ['\uFEFF\uFEFFgr\u00fcn', ['--text'], '\uFEFFgr\u00fcn'],
  ])('in a file of %j with %j is sent without one byte order mark', async (content, options, expected) => {
    expect((await chain.run(['validate', 'a-job', write(content), ...options])).exit).toBe(0)
    expect(sent()).toEqual([expected])
  })

  test.each([
    ['in Latin-1', LATIN],
    ['in UTF-16', Buffer.from('\uFEFF{"output":1}', 'utf16le')],
    ['that is cut within a character', Buffer.from('{"output":"\u00fc').subarray(0, -1)],
  ])('in a file %s is refused as not UTF-8, and nothing is sent', async (_, content) => {
    for (const options of [[], ['--text']]) {
      const { exit, document } = await chain.run(['validate', 'a-job', write(content), ...options])
      expect([exit, document.detail]).toEqual([2, expect.stringContaining('work.json is not UTF-8')])
    }
    expect(chain.service.received).toEqual([])
  })

  test('from standard input is read in the same way', () => {
    const validate = (input: string | Buffer) => {
      const args = [MAIN, 'validate', 'a-job', '-', '--base-url', 'http://127.0.0.1:9', '--dir', chain.state.directory, '--timeout', '20']
      const { status, stderr } = spawnSync(process.execPath, args, { input, encoding: 'utf8' })
      return { status, stderr }
    }
    expect(validate(LATIN)).toEqual({ status: 2, stderr: expect.stringContaining('Standard input is not UTF-8') })
    expect(validate('\uFEFF{"output":1}')).toMatchObject({ status: 4 })
  })
})

describe('a claim', () => {
  const session = {
    sessionId: 'a-job:0x1',
    jobId: 'a-job',
    status: 'claimed',
    claimExpiresAt: '2026-01-01T00:00:00.000Z',
    claimEconomicsWaived: true,
    totalClaimLock: '0',
    badgeSnapshot: {},
    gasRetention: { netReward: '1' },
  }
  const BOND = { eligible: true, totalClaimLock: '0.15', totalClaimLockRaw: '150000', claimFundingAsset: 'USDC' }

  /** Runs `claim` as a process without a terminal. Returns its exit code, its refusal and the number of claims that were sent. */
  const claim = async (preflight: object, live: object[], ...options: string[]) => {
    await chain.close()
    chain = await startScriptedChain({
      'GET /sessions': (_request, response) => json(response, 200, { sessions: live, nextCursor: null }),
      'GET /jobs/preflight': (_request, response) => json(response, 200, { ...BOND, ...preflight }),
      'POST /jobs/claim': (_request, response) => json(response, 200, session),
    })
    const args = [MAIN, 'claim', 'a-job', '--json', '--base-url', chain.service.baseUrl, '--dir', chain.state.directory, ...options]
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
    const [error, [exit]] = await Promise.all([text(child.stderr), once(child, 'close')])
    const detail = error === '' ? '' : (JSON.parse(error) as { detail: string }).detail
    return { exit, detail, claims: chain.service.of('POST /jobs/claim').length }
  }

  test.each<[string, object, object[], string[]]>([
    ['whose bond is zero', { totalClaimLock: '0', totalClaimLockRaw: '0' }, [], []],
    ['with --yes', {}, [], ['--yes']],
    ['that is repeated', {}, [{ ...session }], []],
  ])('%s is sent without asking', async (_, preflight, live, options) => {
    expect(await claim(preflight, live, ...options)).toEqual({ exit: 0, detail: '', claims: 1 })
  })

  test.each<[string, object, object[], string]>([
    ['with a bond', {}, [], 'a bond of 0.15 USDC'],
    ['after a session that is over', {}, [{ ...session, status: 'expired' }], 'a bond of 0.15 USDC'],
    ['that the service would refuse now', { eligible: false }, [], 'a bond of 0.15 USDC'],
    ['whose bond cannot be read', { totalClaimLock: null, totalClaimLockRaw: null }, [], 'a bond that is not known now'],
  ])('%s is refused without a terminal and without --yes', async (_, preflight, live, bond) => {
    const { exit, detail, claims } = await claim(preflight, live)
    expect([exit, claims]).toEqual([2, 0])
    expect(detail).toBe(
      `The claim locks ${bond}, and there is no terminal to ask at. Add --yes to claim without asking. Nothing was claimed.`,
    )
  })
})
