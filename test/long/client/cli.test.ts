import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { readKeystore } from '../../../client/cli/key/keystore.ts'
import { IDLE_STRATEGY_ID } from '../../../contracts/parameters.ts'
import { BAD_WORK, createJob, GOOD_WORK } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { type CommandLine, createCommandLine, type Ended } from './command-line.ts'

const world = useWorld()
const PASSPHRASE = `pass ${randomBytes(8).toString('hex')} "quoted"`

interface Gate {
  url: string
  /** Resolves when the gate leaves a request without an answer. */
  reached: Promise<void>
  close: () => Promise<void>
}

interface Passing {
  method: string
  url: string
  body: string
  /** Sends the request on, and reads its answer. */
  forward: () => Promise<Response>
}

/** A proxy before a server. It leaves a request without an answer where `pass` gives none. */
const startGate = async (target: string, pass: (passing: Passing) => Promise<Response | null>): Promise<Gate> => {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const body = await text(request)
    const { host, connection, 'content-length': length, ...headers } = request.headers
    const init = { method, headers: headers as Record<string, string>, ...(body !== '' && { body }) }
    const answer = await pass({ method, url, body, forward: () => fetch(new URL(url, target), init) })
    if (answer === null) return reach()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reached,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A gate before the node that stops the second transaction before or after the node gets it, or at its receipt. */
const startNodeGate = (rpcUrl: string, { isForwarded, isMined }: { isForwarded: boolean; isMined: boolean }): Promise<Gate> => {
  let sent = 0
  return startGate(rpcUrl, async ({ body, forward }) => {
    const { method } = JSON.parse(body) as { method: string }
    const isSend = method === 'eth_sendRawTransaction'
    if (isSend) sent += 1
    if (isSend && sent === 2 && !isForwarded) return null
    const answer = await forward()
    const isReceipt = method === 'eth_getTransactionReceipt' && sent === 2
    const isStop = isMined ? isReceipt && (await answer.clone().text()).includes('blockNumber') : isSend && sent === 2
    return isStop ? null : answer
  })
}

/** Runs a command, and sends it a signal after the service has got the request whose answer does not reach the command. */
const interrupt = async (args: string[], name: NodeJS.Signals, isLast: (passing: Passing) => boolean): Promise<Ended> => {
  const gate = await startGate(world().base, async (passing) => {
    const answer = await passing.forward()
    if (!isLast(passing)) return answer
    await answer.body?.cancel()
    return null
  })
  const service = ['--base-url', gate.url]
  await cli.done('login', ...service, '--domain', new URL(world().base).host)
  const ended = await cli.run([...args, ...service], { signal: { name, after: gate.reached } })
  await cli.done('logout', ...service)
  await gate.close()
  return ended
}

let cli: CommandLine
let privateKey: Hex
let wallet: Hex
let firstJob: string

const work = (content: object, name = 'work.json'): string => {
  const path = join(cli.home, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}
const liquid = async (): Promise<bigint> => (await world().view.standingOf(wallet)).liquidRaw

beforeAll(async () => {
  cli = createCommandLine(world().base, PASSPHRASE)
  firstJob = await createJob(world(), { onboardingWaiverEligible: true })
})
afterAll(() => rmSync(cli.home, { recursive: true, force: true }))

describe('a new user', () => {
  test('reaches a paid badge with four commands on a running stack', async () => {
    const example = join(cli.home, 'first.json')
    const login = await cli.done('login')
    expect(login.error).toContain('Unicode form NFC')
    const jobs = await cli.done('jobs', '--claimable', '--waived', '--limit', '1000')
    const claim = await cli.done('claim', firstJob, '--example', example)
    expect(JSON.parse(readFileSync(example, 'utf8'))).toEqual({ summary: '<summary>', output: '<output>', status: 'complete' })
    writeFileSync(example, JSON.stringify(GOOD_WORK))
    const submit = await cli.done('submit', firstJob, example, '--watch')

    const decrypt = readKeystore(readFileSync(join(cli.keys, 'key.json'), 'utf8'))
    privateKey = `0x${(await decrypt(PASSPHRASE)).toString('hex')}`
    wallet = privateKeyToAccount(privateKey).address
    expect(login.out).toContain(wallet)
    expect(jobs.out).toContain(firstJob)
    expect(claim.out).toContain(`${firstJob}:${wallet}`)
    expect(submit.out).toMatch(/resolved[\s\S]*Verdict +approved[\s\S]*1 USDC, paid into the account[\s\S]*\/badges\//)
    const { liquidRaw, badges } = await world().view.standingOf(wallet)
    expect([liquidRaw, badges.length]).toEqual([1_000_000n, 1])
  })

  test('has a directory, a key and a token that only their owner can read', () => {
    const modes = ['', 'key.json', ...cli.tokenFiles()].map((name) => (statSync(join(cli.keys, name)).mode & 0o777).toString(8))
    expect(modes).toEqual(['700', '600', '600'])
  })

  test('keeps the key at a second sign-in', async () => {
    const before = readFileSync(join(cli.keys, 'key.json'), 'utf8')
    expect(await cli.json('login')).toMatchObject({ wallet: wallet.toLowerCase(), isNewKey: false })
    expect(readFileSync(join(cli.keys, 'key.json'), 'utf8')).toBe(before)
  })
})

describe('a command with --json', () => {
  test('writes one document', async () => {
    expect(await cli.json('whoami')).toMatchObject({ wallet: wallet.toLowerCase(), roles: [], reputation: { tier: 'starter' } })
    expect(await cli.json('account')).toMatchObject({ liquid: { USDC: { raw: '1000000', decimals: 6, display: '1' } } })
    for (let job = 0; job < 3; job += 1) await createJob(world())
    expect((await cli.json('jobs', '--limit', '3')).jobs).toHaveLength(3)
    expect(await cli.json('show', firstJob)).toMatchObject({ id: firstJob, claimable: false })
    expect(await cli.json('show', firstJob, '--example', '-')).toMatchObject({ summary: '<summary>' })
    expect(await cli.json('preflight', firstJob)).toMatchObject({ jobId: firstJob, eligible: false })
    expect(await cli.json('watch', firstJob)).toMatchObject({
      session: { status: 'resolved' },
      verdict: { outcome: 'approved' },
      badge: { service: { jobId: firstJob } },
    })
    expect(await cli.json('help', 'claim')).toMatchObject({ name: 'claim', operations: expect.arrayContaining(['claimJob']) })
    expect(await cli.json('completion', 'bash')).toMatchObject({ shell: 'bash' })
    expect(await cli.json('version')).toMatchObject({ name: 'agent-work-client' })
  })
})

describe('a repeated command', () => {
  test('of a claim, also one that was interrupted, gives the same session; of a submission the same submission', async () => {
    const jobId = await createJob(world(), { onboardingWaiverEligible: true })
    const isClaim = ({ method, url }: Passing) => method === 'POST' && url.endsWith('/claim')
    expect(await interrupt(['claim', jobId], 'SIGINT', isClaim)).toMatchObject({ exit: 130 })
    expect(await cli.json('show', jobId)).toMatchObject({ claimable: false })
    const first = await cli.json('claim', jobId)
    expect((await cli.json('claim', jobId)).sessionId).toBe(first.sessionId)
    const file = work(GOOD_WORK)
    const submitted = await cli.json('submit', jobId, file)
    expect(await cli.json('submit', first.sessionId, file)).toMatchObject({ evidenceHash: submitted.evidenceHash })
    const { exit, problem } = await cli.fails('submit', jobId, work({ ...GOOD_WORK, output: 'another' }, 'other.json'))
    expect([exit, problem.status]).toEqual([1, 409])
    await cli.done('watch', jobId)
  })

  test('of a watch that Ctrl-C interrupted continues; the interrupted one ends with 130 and advice', async () => {
    const jobId = await createJob(world(), { onboardingWaiverEligible: true })
    await cli.done('claim', jobId)
    const { exit, error } = await cli.run(['watch', jobId], { signal: { name: 'SIGINT', after: 'claimed' } })
    expect(exit).toBe(130)
    expect(error).toContain('safe to repeat')
    const isStream = ({ url }: Passing) => url.startsWith('/events')
    expect(await interrupt(['watch', jobId, '--json'], 'SIGTERM', isStream)).toMatchObject({ exit: 143 })
    // Text of a pipe is work, too.
    const piped = await cli.run(['submit', jobId, '-'], { input: JSON.stringify(GOOD_WORK) })
    expect(piped.exit).toBe(0)
    expect((await cli.done('watch', jobId)).out).toContain('approved')
  })
})

describe('a refusal', () => {
  test('of the service has exit code 1 and its problem document', async () => {
    const { exit, problem } = await cli.fails('claim', 'no-such-job')
    expect(exit).toBe(1)
    expect(problem).toMatchObject({ status: 404, code: 'job_not_found', requestId: expect.any(String) })
    const shown = await cli.run(['claim', 'no-such-job'])
    expect(shown.error).toMatch(/Job not found \(job_not_found\)[\s\S]*What to do:[\s\S]*agent-work jobs/)
    expect(shown.out).toBe('')
  })

  test('of work by validate has exit code 1, and good work has 0', async () => {
    expect((await cli.run(['validate', firstJob, work(GOOD_WORK)])).exit).toBe(0)
    const bad = await cli.run(['validate', firstJob, work({ output: 1 }, 'bad.json'), '--json'])
    expect([bad.exit, JSON.parse(bad.out).valid]).toEqual([1, false])
  })

  test.each([
    ['a file that does not exist', ['submit', 'job', '/nowhere.json'], 2],
    ['text that is not JSON', ['submit', 'job', '-'], 2],
    ['an option that does not exist', ['jobs', '--frobnicate'], 2],
    ['no terminal to ask at', ['login', '--key-file', 'KEY'], 3],
    ['a service that cannot be reached', ['jobs', '--base-url', 'http://127.0.0.1:9'], 4],
    ['a time limit', ['jobs', '--timeout', '0.001'], 5],
  ])('for %s has its exit code', async (_, args, code) => {
    const given = args.map((word) => (word === 'KEY' ? join(cli.keys, 'key.json') : word))
    const { exit, error } = await cli.run([...given, '--json'], {
      input: PASSPHRASE,
      ...(code === 3 && { env: { AGENT_WORK_PASSPHRASE: '' } }),
    })
    expect(exit).toBe(code)
    expect(JSON.parse(error)).toMatchObject({ exitCode: code })
  })

  test('of the example as work sends nothing', async () => {
    const { exit, problem } = await cli.fails(
      'submit',
      firstJob,
      work({ summary: 'x', output: '<output>', status: 'complete' }, 'half.json'),
    )
    expect([exit, problem.detail]).toEqual([2, expect.stringContaining('/output')])
  })

  test('without a sign-in has exit code 3', async () => {
    const other = createCommandLine(world().base, PASSPHRASE)
    expect(await other.fails('account')).toMatchObject({ exit: 3, problem: { code: 'not_signed_in' } })
    rmSync(other.home, { recursive: true })
  })
})

describe('a token that the service no longer accepts', () => {
  const spoil = (): void => {
    const [name = ''] = cli.tokenFiles()
    const saved = JSON.parse(readFileSync(join(cli.keys, name), 'utf8')) as object
    writeFileSync(join(cli.keys, name), JSON.stringify({ ...saved, token: 'e30.e30.c3BvaWxlZA' }))
  }

  test('is renewed with the key', async () => {
    spoil()
    expect(await cli.json('account')).toMatchObject({ wallet: wallet.toLowerCase() })
  })

  test('is not renewed with a wrong passphrase', async () => {
    spoil()
    const { exit, error } = await cli.run(['account', '--json'], { env: { AGENT_WORK_PASSPHRASE: 'a wrong passphrase' } })
    expect([exit, JSON.parse(error).detail]).toEqual([3, 'The passphrase does not open the keystore file, nor does its form NFC or NFKC.'])
    expect(error).not.toContain('a wrong passphrase')
  })

  test('is renewed with a passphrase file', async () => {
    spoil()
    const file = join(cli.home, 'passphrase')
    writeFileSync(file, `${PASSPHRASE}\n`, { mode: 0o600 })
    expect((await cli.run(['account', '--passphrase-file', file], { env: { AGENT_WORK_PASSPHRASE: '' } })).exit).toBe(0)
  })
})

describe('a token', () => {
  test('in the second half of its life is exchanged for a new one without the key', async () => {
    const [name = ''] = cli.tokenFiles()
    const read = () => JSON.parse(readFileSync(join(cli.keys, name), 'utf8')) as { token: string; expiresAt: string }
    const before = read()
    writeFileSync(join(cli.keys, name), JSON.stringify({ ...before, expiresAt: new Date(Date.now() + 3_600_000).toISOString() }))
    expect((await cli.run(['account'], { env: { AGENT_WORK_PASSPHRASE: '' } })).exit).toBe(0)
    expect(read().token).not.toBe(before.token)
    expect((await world().call('/account', { token: before.token })).body).toMatchObject({ code: 'token_revoked' })
  })
})

describe('money', () => {
  test('of the faucet comes on the local chain, and nowhere else', async () => {
    expect(await cli.json('faucet', '6')).toMatchObject({ amountRaw: '6000000' })
    expect((await cli.json('account')).walletBalance.USDC.raw).toBe('6000000')
    expect(await cli.fails('faucet', '--rpc', 'https://node.example')).toMatchObject({
      exit: 1,
      problem: { detail: expect.stringContaining('another machine') },
    })
    const node = createServer((request, response) => {
      request.resume()
      request.on('end', () => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'Geth/v1.16.0' })))
    })
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    const rpc = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
    expect(await cli.fails('faucet', '--rpc', rpc)).toMatchObject({ exit: 1, problem: { detail: expect.stringContaining('Geth/v1.16.0') } })
    await new Promise((resolve) => node.close(resolve))
  })

  test('is deposited after its transactions were shown, and only with --yes', async () => {
    const before = await liquid()
    const asked = await cli.run(['deposit', '1.5'])
    expect([asked.exit, asked.error]).toEqual([2, expect.stringMatching(/Transaction 1 of 2: approve[\s\S]*1\.5 USDC[\s\S]*Add --yes/)])
    expect(await liquid()).toBe(before)
    const sent = await cli.run(['deposit', '1.5', '--yes'])
    expect(sent.error).toMatch(/1 of 2: approve[\s\S]*2 of 2: deposit/)
    expect([sent.exit, await liquid()]).toEqual([0, before + 1_500_000n])
    expect(await cli.fails('deposit', '1000', '--yes')).toMatchObject({ exit: 1, problem: { reason: 'InsufficientBalance' } })
  })

  test.each([
    ['before the node got its deposit', false, false],
    ['after its deposit was mined', true, true],
  ])('is deposited once when the command was killed %s', async (_, isForwarded, isMined) => {
    const before = await liquid()
    const gate = await startNodeGate(world().info.rpcUrl, { isForwarded, isMined })
    const killed = await cli.run(['deposit', '0.7', '--yes', '--rpc', gate.url], { signal: { name: 'SIGKILL', after: gate.reached } })
    expect([killed.exit, killed.error]).toEqual(['SIGKILL', expect.any(String)])
    await gate.close()
    const name = readdirSync(cli.keys).find((one) => one.startsWith('transaction-')) ?? ''
    const { hash, isLast } = JSON.parse(readFileSync(join(cli.keys, name), 'utf8')) as { hash: string; isLast: boolean }
    expect(isLast).toBe(true)
    expect((await cli.json('deposit', '0.7', '--yes')).transactions).toEqual([{ step: 'deposit', hash }])
    expect(await liquid()).toBe(before + 700_000n)
    expect(readdirSync(cli.keys)).not.toContain(name)
  })
})

describe('lent balance', () => {
  test('comes home with the command line alone, and the refusal of a withdrawal names the command', async () => {
    await cli.json('faucet', '20')
    await cli.run(['deposit', '20', '--yes'])
    const args = [wallet, IDLE_STRATEGY_ID, 18_000_000n] as const
    const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'allocateIdleFunds', args })
    await world().view.send(privateKeyToAccount(privateKey), { to: world().chain.contracts.agentAccount.address as Hex, data })
    const refused = await cli.run(['withdraw', '18', '--yes'])
    expect([refused.exit, refused.error]).toEqual([1, expect.stringContaining('agent-work recall')])
    expect(await cli.json('recall', '--yes')).toMatchObject({ transactions: [{ step: 'recall' }], places: expect.any(Array) })
    const before = BigInt((await cli.json('account')).walletBalance.USDC.raw)
    await cli.json('withdraw', '18', '--yes')
    expect(BigInt((await cli.json('account')).walletBalance.USDC.raw)).toBe(before + 18_000_000n)
  })
})

describe('a rejection', () => {
  test('is disputed with the key of the wallet, once', async () => {
    const jobId = await createJob(world())
    const unasked = await cli.fails('claim', jobId)
    expect([unasked.exit, unasked.problem.detail]).toEqual([2, expect.stringMatching(/locks a bond of [0-9.]+ USDC[\s\S]*--yes/)])
    expect(await cli.json('show', jobId)).toMatchObject({ claimable: true })
    await cli.done('claim', jobId, '--yes')
    await cli.done('claim', jobId)
    await cli.done('submit', jobId, work(BAD_WORK, 'poor.json'))
    const watched = await cli.done('watch', jobId)
    expect(watched.out).toMatch(/rejected[\s\S]*Verdict +rejected[\s\S]*agent-work dispute/)
    const asked = await cli.run(['dispute', jobId])
    expect([asked.exit, asked.error]).toEqual([2, expect.stringContaining('Add --yes')])
    const disputed = await cli.json('dispute', jobId, '--yes')
    expect(disputed).toMatchObject({ session: { status: 'disputed', jobId }, transactions: [{ step: 'dispute' }] })
    expect((await world().view.escrowOf(jobId)).state).toBe('disputed')
    expect(await cli.json('dispute', jobId, '--yes')).toMatchObject({ session: { status: 'disputed' }, transactions: [] })
    expect(await cli.fails('dispute', firstJob, '--yes')).toMatchObject({ exit: 1 })
  })
})

describe('a service with another host name', () => {
  test('gets a signature only with --domain, which later commands keep', async () => {
    const other = createCommandLine(world().base.replace('127.0.0.1', 'localhost'), PASSPHRASE)
    const { host } = new URL(world().base)
    expect(await other.fails('login')).toMatchObject({
      exit: 1,
      problem: { detail: expect.stringContaining('Nothing was signed'), advice: [expect.stringContaining(`--domain ${host}`)] },
    })
    expect(await other.json('login', '--domain', host)).toMatchObject({ isNewKey: false })
    const [name = ''] = other.tokenFiles()
    const saved = JSON.parse(readFileSync(join(other.keys, name), 'utf8')) as object
    writeFileSync(join(other.keys, name), JSON.stringify({ ...saved, token: 'e30.e30.c3BvaWxlZA' }))
    expect(await other.json('whoami')).toMatchObject({ roles: [] })
    rmSync(other.home, { recursive: true })
  })
})

describe('a key of one’s own', () => {
  test('in hex signs in from its file, and logout revokes the token', async () => {
    const other = createCommandLine(world().base, PASSPHRASE)
    const key = `0x${randomBytes(32).toString('hex')}` as Hex
    const file = join(other.home, 'raw')
    writeFileSync(file, key, { mode: 0o600 })
    expect(await other.json('login', '--key-file', file)).toMatchObject({
      wallet: privateKeyToAccount(key).address.toLowerCase(),
      isNewKey: false,
    })
    expect(await other.json('whoami')).toMatchObject({ wallet: privateKeyToAccount(key).address.toLowerCase() })
    const [token = ''] = other.tokens
    await other.done('logout')
    expect(other.tokenFiles()).toEqual([])
    expect((await world().call('/account', { token })).body).toMatchObject({ code: 'token_revoked' })
    expect((await other.fails('whoami')).exit).toBe(3)
    expect((await other.fails('login', '--key-file', key)).exit).toBe(2)
    expect(other.outputs.filter((text) => !text.startsWith('login --key-file')).join('\n')).not.toContain(key.slice(2))
    rmSync(other.home, { recursive: true })
  })
})

describe('two machines with one key', () => {
  test('see each other’s sign-in, and one ends the other', async () => {
    const [first, second] = [createCommandLine(world().base, PASSPHRASE), createCommandLine(world().base, PASSPHRASE)]
    const file = join(first.home, 'raw')
    writeFileSync(file, `0x${randomBytes(32).toString('hex')}`, { mode: 0o600 })
    for (const machine of [first, second]) await machine.done('login', '--key-file', file)
    const { items } = await first.json('sessions')
    // Two sign-ins of one second have no order.
    const idOf = (isCurrent: boolean): string[] =>
      items.filter(({ current }: { current: boolean }) => current === isCurrent).map(({ sessionId }: { sessionId: string }) => sessionId)
    expect([idOf(true).length, idOf(false).length]).toEqual([1, 1])
    expect(await first.json('sessions', '--others')).toEqual({ ended: idOf(false) })
    const [ended = ''] = second.tokens
    expect((await world().call('/account', { token: ended })).body).toMatchObject({ code: 'token_revoked', reason: 'session_ended' })
    expect(await first.json('sessions', '--all')).toEqual({ ended: idOf(true) })
    expect(first.tokenFiles()).toEqual([])
    for (const { home } of [first, second]) rmSync(home, { recursive: true })
  })

  test('of which one renews an old copy of the token lose the sign-in, and it signs in again', async () => {
    const machine = createCommandLine(world().base, PASSPHRASE)
    await machine.done('login')
    const path = join(machine.keys, machine.tokenFiles()[0] ?? '')
    const copy = readFileSync(path, 'utf8')
    const token = () => (JSON.parse(readFileSync(path, 'utf8')) as { token: string }).token
    /** Begins a command with this token in the second half of its life. */
    const renewFrom = async (saved: string): Promise<string> => {
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
      writeFileSync(path, JSON.stringify({ ...JSON.parse(saved), expiresAt }))
      await machine.done('whoami')
      return token()
    }
    await renewFrom(copy)
    const newest = await renewFrom(readFileSync(path, 'utf8'))
    const again = await renewFrom(copy)
    expect((await world().call('/auth/session', { token: newest })).body).toMatchObject({ reason: 'refresh_reused' })
    expect((await world().call('/auth/session', { token: again })).status).toBe(200)
    rmSync(machine.home, { recursive: true })
  })
})

test('no output of this whole run holds the passphrase, the key or a token', () => {
  const all = cli.outputs.join('\n')
  expect(all.length).toBeGreaterThan(10_000)
  expect(cli.tokens.size).toBeGreaterThan(2)
  for (const secret of [PASSPHRASE, JSON.stringify(PASSPHRASE).slice(1, -1), privateKey.slice(2), ...cli.tokens])
    expect(all.includes(secret)).toBe(false)
})
