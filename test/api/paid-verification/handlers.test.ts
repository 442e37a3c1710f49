import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { createPaidVerificationHandlers } from '../../../api/paid-verification/handlers.ts'
import * as operations from '../../../schemas/paid-verification/operations.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { startWorld, type World, who } from '../../contracts/support/world.ts'
import { QUOTED_RUN as BODY } from '../../domain/paid-verification/builders/requests.ts'
import { ask, BASE_URL, NOW, refusal } from '../support/account-world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

/** Handlers with a payment chain file of these changes; their log lines beside them. */
const startHandlers = ({ asset = {}, rpc = world.rpcUrl, ...changes }: { asset?: object; rpc?: string; [name: string]: unknown } = {}) => {
  const { chainId, asset: deployed } = world.deployment
  const file = join(mkdtempSync(join(tmpdir(), 'payment-chain-')), 'chain.json')
  const place = { chainId, caip2: `eip155:${chainId}`, name: 'test', local: true, rpc: { primary: rpc }, nativeSymbol: 'DOT' }
  writeFileSync(file, JSON.stringify({ ...place, asset: { ...deployed, ...asset }, ...changes }))
  const payment = { VERIFICATION_CHAIN_FILE: file, VERIFICATION_PAY_TO: who.treasury }
  return withSettings(payment)
}

const withSettings = (payment: Record<string, string>) => {
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
