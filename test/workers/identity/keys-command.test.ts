import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from '@jest/globals'
import { fingerprintOf } from '../../../activities/common/document-signing.ts'
import { listKeyRecords } from '../../../activities/identity/key-records.ts'
import { readKeysCommand } from '../../../workers/keys.ts'
import { useOwnDatabase } from '../../activities/support/own-database.ts'
import { makePem, testChain } from '../../support/api.ts'

const SCRIPT = fileURLToPath(new URL('../../../workers/keys.ts', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'keys-'))
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text, { mode: 0o644 })
  return join(directory, name)
}
const jwtFile = file('jwt.pem', makePem())
const receiptFile = file('receipt.pem', makePem())
const chainFile = file('chain.json', JSON.stringify(testChain))

afterAll(() => rmSync(directory, { recursive: true, force: true }))

const own = useOwnDatabase(1)
const tokenKeys = () => listKeyRecords(own.rows(), 'jwt')

/** Runs the command. Nothing answers at the address of its chain. */
const run = (args: string[], env: Record<string, string> = { JWT_KEY_FILE: jwtFile, RECEIPT_KEY_FILE: receiptFile }) => {
  const { PATH, HOME } = process.env
  const all = { PATH, HOME, DATABASE_URL: own.url(), CHAIN_FILE: chainFile, ...env }
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { env: all, encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}`.trim() }
}
const INSTANT = '20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+Z'

describe('the command', () => {
  test.each([
    [['list'], { action: 'list' }],
    [['rotate', 'jwt'], { action: 'rotate', target: 'jwt', retireNow: false }],
    [['rotate', 'jwt', '--retire-now'], { action: 'rotate', target: 'jwt', retireNow: true }],
    [['rotate', 'receipt'], { action: 'rotate', target: 'receipt' }],
    [['retire', 'jwt-3'], { action: 'retire', target: 'jwt-3' }],
    [[], null],
    [['rotate'], null],
    [['rotate', 'chain'], null],
    [['rotate', 'receipt', '--retire-now'], null],
    [['rotate', 'jwt', 'receipt'], null],
    [['retire'], null],
    [['retire', 'badge-1'], null],
    [['retire', 'jwt-0'], null],
    [['list', '--retire-now'], null],
    [['list', 'jwt'], null],
    [['--force'], null],
  ])('%j is read as %j', (args, expected) => {
    expect(readKeysCommand(args)).toEqual(expected)
  })

  test('writes a key over each file, names it, and shows no part of it', () => {
    expect(run(['list'])).toEqual({ status: 0, text: 'no key is recorded yet' })
    const outputs: string[] = []
    for (const [purpose, path, kid] of [
      ['jwt', jwtFile, 'jwt-1'],
      ['receipt', receiptFile, 'badge-1'],
    ] as const) {
      const before = readFileSync(path, 'utf8')
      const { status, text } = run(['rotate', purpose])
      expect([status, text]).toEqual([0, expect.stringMatching(new RegExp(`^${kid} signs from ${INSTANT} on$`))])
      expect(readFileSync(path, 'utf8')).not.toBe(before)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      outputs.push(text)
    }
    const written = [jwtFile, receiptFile].flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.length > 10),
    )
    for (const line of written) for (const text of outputs) expect(text).not.toContain(line)
  })

  test('lists the keys of both purposes with their windows, and ends older keys of tokens after a leak', () => {
    const second = run(['rotate', 'jwt'])
    expect(second.text.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^jwt-2 signs from ${INSTANT} on$`)),
      expect.stringMatching(new RegExp(`^jwt-1 verifies until ${INSTANT}$`)),
    ])
    expect(run(['list']).text.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^jwt-1  jwt  valid from ${INSTANT}  retired ${INSTANT}  verifies until ${INSTANT}$`)),
      expect.stringMatching(new RegExp(`^jwt-2  jwt  valid from ${INSTANT}  current$`)),
      expect.stringMatching(new RegExp(`^badge-1  receipt  valid from ${INSTANT}  current$`)),
    ])
    expect(run(['rotate', 'jwt', '--retire-now']).text.split('\n').slice(1)).toEqual([
      'jwt-1 has ended: its tokens are refused',
      'jwt-2 has ended: its tokens are refused',
    ])
    expect(run(['list']).text).toMatch(new RegExp(`jwt-2  jwt  valid from ${INSTANT}  retired ${INSTANT}  ended ${INSTANT}`))
  })

  test('ends one retired key of tokens, and no key that is current or has ended', () => {
    const [current = ''] = /jwt-\d+(?= {2}jwt {2}valid from \S+ {2}current)/.exec(run(['list']).text) ?? []
    expect(run(['retire', current])).toMatchObject({ status: 1, text: expect.stringContaining('nothing was changed') })
    run(['rotate', 'jwt'])
    expect(run(['retire', current])).toEqual({ status: 0, text: `${current} has ended: its tokens are refused` })
    expect(run(['retire', current]).status).toBe(1)
  })

  test.each<[string, string[], () => Record<string, string>, string]>([
    [
      'that is text',
      ['rotate', 'jwt'],
      () => ({ JWT_KEY: makePem(), JWT_KEY_FILE: jwtFile }),
      'JWT_KEY_FILE is not set; a key that is given as text (JWT_KEY)',
    ],
    ['that is not set', ['rotate', 'receipt'], () => ({ JWT_KEY_FILE: jwtFile }), 'RECEIPT_KEY_FILE is not set'],
    [
      'that is pinned',
      ['rotate', 'jwt'],
      () => ({ JWT_KEY_FILE: jwtFile, JWT_KEY_FINGERPRINT: fingerprintOf(readFileSync(jwtFile, 'utf8')) }),
      'JWT_KEY_FINGERPRINT pins the key',
    ],
    [
      'of shared secrets',
      ['rotate', 'jwt'],
      () => ({ JWT_ALGORITHM: 'HS256', JWT_SECRETS: 's'.repeat(32), JWT_KEY_FILE: jwtFile }),
      'put a new secret in front and restart',
    ],
    [
      'whose file is missing',
      ['rotate', 'jwt'],
      () => ({ JWT_KEY_FILE: join(directory, 'none') }),
      'JWT_KEY_FILE: the file cannot be read',
    ],
  ])('changes nothing for a key %s, and says why', async (_name, args, env, reason) => {
    const [stored, records] = [readFileSync(jwtFile, 'utf8'), await tokenKeys()]
    const { status, text } = run(args, env())
    expect([status, text]).toEqual([1, expect.stringContaining(reason)])
    expect([readFileSync(jwtFile, 'utf8'), await tokenKeys()]).toEqual([stored, records])
  })
})
