import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { createPaidVerificationHandlers } from '../../../api/paid-verification/handlers.ts'
import * as operations from '../../../schemas/paid-verification/operations.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { startWorld, type World, who } from '../../contracts/support/world.ts'
import { QUOTED_RUN as BODY, GIT_PATCH } from '../../domain/paid-verification/builders/requests.ts'
import { ask, BASE_URL, NOW, refusal } from '../support/account-world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

const READY = async () => ({ ready: 1, unable: [] as string[] })
interface Given {
  asset?: object
  rpc?: string
  env?: Record<string, string>
  runners?: typeof READY
  [name: string]: unknown
}

/** Handlers with a payment chain file of these changes; their log lines beside them. */
const startHandlers = ({ asset = {}, rpc = world.rpcUrl, env = {}, runners = READY, ...changes }: Given = {}) => {
  const { chainId, asset: deployed } = world.deployment
  const file = join(mkdtempSync(join(tmpdir(), 'payment-chain-')), 'chain.json')
  const place = { chainId, caip2: `eip155:${chainId}`, name: 'test', local: true, rpc: { primary: rpc }, nativeSymbol: 'DOT' }
  writeFileSync(file, JSON.stringify({ ...place, asset: { ...deployed, ...asset }, ...changes }))
  const keys = { VERIFICATION_SECRET: 'a secret of thirty-two characters', SETTLER_KEY: `0x${'7'.repeat(64)}` }
  return withSettings({ VERIFICATION_CHAIN_FILE: file, VERIFICATION_PAY_TO: who.treasury, ...keys, ...env }, runners)
}

const withSettings = (payment: Record<string, string>, readRunners = READY) => {
  const settings = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused', ...payment })
  const lines: unknown[] = []
  const log = (...line: unknown[]) => void lines.push(line)
  const logger = { warn: log, error: log } as never
  return {
    lines,
    handlers: createPaidVerificationHandlers({
      settings,
      logger,
      clock: { now: () => NOW } as never,
      baseUrl: BASE_URL,
      database: {} as never,
      engine: { readRunners },
    }),
  }
}

const profiles = async ({ handlers }: ReturnType<typeof startHandlers>) =>
  (await ask(operations.listVerificationProfiles, handlers.listVerificationProfiles, {})).body.profiles
const quote = ({ handlers }: ReturnType<typeof startHandlers>, body: Record<string, unknown> = BODY) =>
  ask(operations.quoteVerificationRun, handlers.quoteVerificationRun, { body })

describe('verification for money', () => {
  test('profiles, quote and discovery name the token of the payment chain and the payee', async () => {
    const service = startHandlers()
    const [first] = await profiles(service)
    expect(first).toMatchObject({ availability: { status: 'available' }, price: { amountRaw: '5000000', asset: 'USDC' } })
    const { body } = await quote(service)
    const { chainId, asset } = world.deployment
    expect(body.accepts).toMatchObject([
      { network: `eip155:${chainId}`, asset: asset.address.toLowerCase(), payTo: who.treasury.toLowerCase(), amount: '5000000' },
    ])
    const { handlers } = service
    const manifest = await ask(operations.getX402Manifest, handlers.getX402Manifest, {})
    expect(await ask(operations.getX402ManifestFile, handlers.getX402ManifestFile, {})).toEqual(manifest)
    expect(manifest.body.items).toHaveLength(3)
    expect(service.lines).toEqual([])
  })

  test('a token with another domain sells nothing, and the log names the difference', async () => {
    const service = startHandlers({ asset: { eip712Name: 'USDC' } })
    expect((await profiles(service))[0]?.availability).toMatchObject({ status: 'unavailable', reasonCode: 'payment_domain_differs' })
    expect(await refusal(quote(service))).toBe('verification_profile_unavailable payment_domain_differs')
    expect(JSON.stringify(service.lines)).toContain('expected \\"USDC\\"')
  })

  test('a payment chain without an answer sells nothing until it answers', async () => {
    const service = startHandlers({ rpc: 'http://127.0.0.1:9' })
    expect(await refusal(quote(service))).toBe('verification_profile_unavailable payment_chain_unreachable')
  })

  test('a service without a payee shows its profiles without a price', async () => {
    const service = withSettings({})
    const [first] = await profiles(service)
    expect(first).toMatchObject({ price: null, availability: { reasonCode: 'payment_not_configured' } })
    expect(await refusal(quote(service))).toBe('verification_profile_unavailable payment_not_configured')
    const { body } = await ask(operations.getX402Manifest, service.handlers.getX402Manifest, {})
    expect(body.items).toEqual([])
    expect(service.lines).toEqual([])
  })

  test.each([
    ['of its ids', { VERIFICATION_SECRET: '' }, 'run_secret_missing'],
    ['that takes payments', { SETTLER_KEY: '' }, 'settler_not_configured'],
  ])('a service without the secret %s sells nothing', async (_title, env, reasonCode) => {
    const service = startHandlers({ env })
    for (const { availability } of await profiles(service)) expect(availability).toMatchObject({ status: 'unavailable', reasonCode })
    expect(await refusal(quote(service))).toBe(`verification_profile_unavailable ${reasonCode}`)
  })

  test('a service whose runners have no sandbox sells the other profiles, and refuses a run before it asks for a payment', async () => {
    const runners = async () => ({ ready: 0, unable: ['bubblewrap is not installed: apt-get install bubblewrap.'] })
    const service = startHandlers({ runners })
    const shown = await profiles(service)
    expect(shown.map(({ availability }) => availability)).toEqual([
      { status: 'unavailable', reasonCode: 'runner_unavailable', reason: expect.stringContaining('bubblewrap is not installed') },
      { status: 'available' },
      { status: 'available' },
    ])
    const body = { profile: 'git-patch-tests-v1', profileVersion: 1, ...GIT_PATCH }
    expect(await refusal(quote(service, body))).toBe('verification_profile_unavailable runner_unavailable')
    const start = ask(operations.startVerificationRun, service.handlers.startVerificationRun, { body, headers: {} })
    expect(await refusal(start)).toBe('verification_profile_unavailable runner_unavailable')
    expect((await quote(service)).body.availability).toEqual({ status: 'available' })
    const { body: manifest } = await ask(operations.getX402Manifest, service.handlers.getX402Manifest, {})
    expect(manifest.items).toHaveLength(2)
  })

  test('an unknown profile is refused, and inputs by the pointer of the broken rule', async () => {
    const service = startHandlers()
    expect(await refusal(quote(service, { ...BODY, profileVersion: 2 }))).toBe('verification_profile_not_found')
    expect(await refusal(quote(service, { ...BODY, target: {} }))).toBe('invalid_request')
  })

  test.each([
    ['without a signing domain', { asset: { eip712Name: undefined } }, /VERIFICATION_CHAIN_FILE: asset\.eip712Name/],
    ['whose network is another chain', { caip2: 'eip155:1' }, /VERIFICATION_CHAIN_FILE: caip2/],
  ])('a payment chain file %s stops the start', (_title, changes, problem) => {
    expect(() => startHandlers(changes)).toThrow(problem)
  })
})
