import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
