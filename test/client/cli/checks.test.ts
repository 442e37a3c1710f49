import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, erc20Abi, keccak256, pad, toBytes, toHex } from 'viem'
import { assertCall, chainJobId, encodeCall, word } from '../../../client/cli/chain/calls.ts'
import { EXIT } from '../../../client/cli/failures.ts'
import { isSessionId } from '../../../client/cli/service/sessions.ts'
import { readSignInText, signInHost } from '../../../client/cli/service/sign-in.ts'
import { isLoopback, type StateDirectory, serviceAddress, stateDirectory } from '../../../client/cli/state/directory.ts'

const WALLET = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const CONTRACT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

describe('a transaction that the service built', () => {
  const data = encodeCall('approve(address,uint256)', word(CONTRACT), word(1_500_000n))
  const built = { step: 'approve', from: WALLET, to: CONTRACT, data, value: '0', chainId: 31_337 }
  const wanted = { signature: 'approve(address,uint256)', words: [word(CONTRACT), word(1_500_000n)], wallet: WALLET, chainId: 31_337 }

  test('is accepted when it is the wanted call', () => {
    expect(data).toBe(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [CONTRACT, 1_500_000n] }))
    expect(() => assertCall(built, wanted)).not.toThrow()
    expect(() =>
      assertCall({ ...built, data: data.toUpperCase().replace('0X', '0x') }, { ...wanted, words: [undefined, word(1_500_000n)] }),
    ).not.toThrow()
  })

  test.each([
    ['has another method', { data: encodeCall('transfer(address,uint256)', word(CONTRACT), word(1_500_000n)) }, 'is not approve'],
    ['has another amount', { data: encodeCall('approve(address,uint256)', word(CONTRACT), word(2n ** 256n - 1n)) }, 'another argument 2'],
    ['has another spender', { data: encodeCall('approve(address,uint256)', word(WALLET), word(1_500_000n)) }, 'another argument 1'],
    ['has more data', { data: `${data}${word(1n)}` }, 'is not approve'],
    ['has less data', { data: data.slice(0, -2) }, 'is not approve'],
    ['has no data', { data: '0x' }, 'is not approve'],
    ['moves native money', { value: '1' }, 'moves native money'],
    ['is of another wallet', { from: CONTRACT }, 'of another wallet'],
    ['is of another chain', { chainId: 1 }, 'of another chain'],
    ['has no contract', { to: '0x' }, 'has no contract'],
  ])('that %s is refused', (_, changes, reason) => {
    expect(() => assertCall({ ...built, ...changes }, wanted)).toThrow(
      expect.objectContaining({ exit: EXIT.refused, message: expect.stringContaining(reason) }),
    )
  })

  test('names a job as the escrow does', () => {
    expect(chainJobId('starter-docs-001')).toBe(keccak256(toBytes('starter-docs-001')))
    expect(chainJobId('grün')).toBe(keccak256(toBytes('grün')))
    const id = pad(toHex(7n))
    expect(chainJobId(id)).toBe(id)
  })
})

describe('a sign-in text', () => {
  const OWN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const text = (domain: string, { address = OWN, uri = `https://${domain}`, chain = 'Chain ID: 420420417' } = {}) =>
    `${domain} wants you to sign in with your Ethereum account:\n${address}\n\nSign in.\n\n${uri && `URI: ${uri}\n`}Version: 1\n${chain}\nNonce: 0123456789abcdef`
  const hostOf = (baseUrl: string, options: { domain?: string } = {}, saved?: { service: { domain: string } }): string =>
    signInHost({ baseUrl, options, state: { readSession: () => saved } as unknown as StateDirectory })

  test.each([
    ['https://work.example', {}, 'work.example'],
    ['https://work.example/v1', {}, 'WORK.example'],
    ['https://api.work.example/v1', { domain: 'work.example' }, 'work.example'],
    ['http://127.0.0.1:8787', {}, '127.0.0.1:8787'],
  ])('of the service at %s with %j for the domain %s is signed', (baseUrl, options, domain) => {
    expect(readSignInText(text(domain), { host: hostOf(baseUrl, options), key: { address: WALLET } })).toEqual({
      domain,
      chainId: 420_420_417,
    })
  })

  test('has to name the domain of the last login', () => {
    expect(hostOf('https://api.work.example', {}, { service: { domain: 'work.example' } })).toBe('work.example')
    expect(hostOf('https://api.work.example', { domain: 'other.example' }, { service: { domain: 'work.example' } })).toBe('other.example')
  })

  test.each([
    ['https://work.example', text('bank.example'), 'for bank.example'],
    ['https://notwork.example', text('work.example'), 'for work.example'],
    ['https://work.example', text('api.work.example'), 'for api.work.example'],
    ['https://api.work.example', text('work.example'), 'for work.example'],
    ['https://mallory.example', text('example'), 'for example'],
    ['http://localhost:8787', text('127.0.0.1:8787'), 'for 127.0.0.1:8787'],
    ['http://127.0.0.1:8787', text('127.0.0.1:9'), 'for 127.0.0.1:9'],
    ['https://work.example', text('127.0.0.1'), 'for 127.0.0.1'],
    ['https://work.example', text('work.example', { address: WALLET }), 'another wallet'],
    ['https://work.example', text('work.example', { address: CONTRACT }), 'another wallet'],
    ['https://work.example', text('work.example', { uri: 'https://bank.example' }), 'for bank.example'],
    ['https://work.example', text('work.example', { uri: '' }), 'no URI'],
    ['https://work.example', text('work.example', { uri: 'work.example' }), 'no URI'],
    ['https://work.example', text('work.example', { uri: 'https://work.example\nURI: https://bank.example' }), 'no URI'],
    ['https://work.example', text('work.example', { chain: 'Chain: 1' }), 'no chain id'],
    ['https://work.example', text('work.example', { chain: 'Chain ID: x' }), 'no chain id'],
    ['https://work.example', 'I give all I have to work.example', 'not a sign-in text'],
    ['https://work.example', '', 'not a sign-in text'],
  ])('at %s that reads %j is not signed', (baseUrl, message, reason) => {
    expect(() => readSignInText(message, { host: hostOf(baseUrl), key: { address: WALLET } })).toThrow(reason)
  })
})

test.each([
  ['starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8', true],
  ['starter-docs-001:0x70997970c51812dc3a010c7d01b50e0d17dc79c8:2', true],
  ['starter-docs-001', false],
  ['a:b', false],
  [`0x${'ab'.repeat(32)}`, false],
])('%s is the id of a session: %s', (id, expected) => {
  expect(isSessionId(id)).toBe(expected)
})

describe('places', () => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  const fileOf = (text: string): URL => {
    const path = join(directory, 'stack.json')
    writeFileSync(path, text)
    return pathToFileURL(path)
  }
  /** File of a stack that a process runs. */
  const stackFile = (pid: number, members: object = {}): URL =>
    fileOf(JSON.stringify({ pid, api: 'http://127.0.0.1:21001', rpcUrl: 'http://127.0.0.1:21002', ...members }))

  test.each([
    ['http://127.0.0.1:8787/', undefined, 'http://127.0.0.1:8787'],
    [undefined, 'https://work.example/base/', 'https://work.example/base'],
    [undefined, '', 'http://127.0.0.1:21001'],
    [undefined, undefined, 'http://127.0.0.1:21001'],
    ['https://a.example', 'https://b.example', 'https://a.example'],
  ])('of the service with --base-url %s and AGENT_WORK_URL %s is %s', (given, AGENT_WORK_URL, expected) => {
    expect(serviceAddress(given, { AGENT_WORK_URL }, stackFile(process.pid)).address).toBe(expected)
  })

  test.each<[string, () => URL]>([
    ['there is no file of a stack', () => new URL('nowhere.json', fileOf(''))],
    ['its file is not JSON', () => fileOf('{')],
    ['the process of the stack has ended', () => stackFile(spawnSync(process.execPath, ['--version']).pid)],
    ['the stack has no API', () => stackFile(process.pid, { api: undefined })],
  ])('of the service are not guessed where %s, and the refusal says what helps', (_, file) => {
    expect(() => serviceAddress(undefined, {}, file())).toThrow(
      expect.objectContaining({ exit: EXIT.usage, message: expect.stringMatching(/npm start.*--base-url or AGENT_WORK_URL/) }),
    )
  })

  test.each(['nowhere', 'ftp://a.example', 'https://user:secret@a.example', 'https://a.example?key=secret', 'https://a.example#secret'])(
    'of the service at %s is refused without repeating it',
    (url) => {
      expect(() => serviceAddress(url, {})).toThrow(
        expect.objectContaining({ exit: EXIT.usage, message: expect.not.stringContaining('secret') }),
      )
    },
  )

  test('of keys and tokens is that of --dir, else of XDG_CONFIG_HOME, else of the home', () => {
    expect(stateDirectory('/keys', { XDG_CONFIG_HOME: '/config' })).toBe('/keys')
    expect(stateDirectory(undefined, { XDG_CONFIG_HOME: '/config' })).toBe('/config/agent-work')
    expect(stateDirectory(undefined, { XDG_CONFIG_HOME: 'relative' })).toMatch(/^\/.*\/\.config\/agent-work$/)
    expect(stateDirectory(undefined, {})).toMatch(/^\/.*\/\.config\/agent-work$/)
  })

  test.each([
    ['http://127.0.0.1:1', true],
    ['http://[::1]:1', true],
    ['http://localhost', true],
    ['http://localhost.example', false],
    ['http://127.example', false],
  ])('%s is on this machine: %s', (url, expected) => {
    expect(isLoopback(url)).toBe(expected)
  })
})
