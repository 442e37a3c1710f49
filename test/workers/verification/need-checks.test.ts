// What a worker checks of the things that verdicts need, on a real chain and the fake code host.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createFetches } from '../../../activities/outbound/clients.ts'
import { createNeedChecks } from '../../../activities/verification/need-checks.ts'
import { createVerifierHandlers } from '../../../activities/verification/registry.ts'
import type { SourceNeed } from '../../../domain/catalogue/readiness.ts'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { localKeys } from '../../../local/keys.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { startNeedChecker } from '../../../workers/verification/need-checks.ts'
import { type Service, startService } from '../../activities/support/service.ts'
import { createFixtureSources } from '../../activities/verification/fixtures/fixture.ts'

let service: Service
let host: LocalCodehost
let status = 200
const server = createServer((_request, response) => {
  status === 0 ? response.destroy() : response.writeHead(status).end()
})
const serverPort = (): number => (server.address() as AddressInfo).port

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ;[service, host] = await Promise.all([startService(), startCodehost()])
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await Promise.all([service.stop(), host.stop()])
})

const VERIFIER = localKeys().verifier.address
const allHandlers = createVerifierHandlers(createFixtureSources())

interface Changes {
  verifier?: Hex | undefined
  hasArbitrator?: boolean
  settings?: Record<string, string>
  handlers?: typeof allHandlers
}
const checksWith = ({ settings: changed, ...others }: Changes = {}) => {
  const settings = readSettings({
    DATABASE_URL: 'unused',
    CHAIN_FILE: 'unused',
    ...codehostSettings(host.url),
    LOCAL_CALLER_HOSTS: `127.0.0.1:${serverPort()}`,
    WIKIPEDIA_API_URL: `http://127.0.0.1:${serverPort()}/{language}`,
    ...changed,
  })
  const { chain, clients } = service
  return createNeedChecks({
    settings,
    chain,
    clients,
    fetches: createFetches(settings),
    handlers: allHandlers,
    verifier: VERIFIER,
    hasArbitrator: true,
    ...others,
  })
}
const reasonsWith = async (changes: Changes = {}) => {
  const found = await Promise.all(checksWith(changes).fixed.map((check) => check()))
  return Object.fromEntries(found.map(({ need, reason }) => [need, reason]))
}

const MET = {
  'handler:benchmark': null,
  'handler:deterministic': null,
  'handler:human_fallback': null,
  'handler:codehost_pr': null,
  'handler:verification_profile': null,
  arbitrator_key: null,
  verifier_key: null,
  code_host: null,
}
const handlersWithout = (mode: string) => new Map([...allHandlers].filter(([name]) => name !== mode))
/** Answer of the code host to the check; null for its usual one. */
type HostFailure = { status: number; headers?: Record<string, string> } | null
const setBalance = (address: Hex, value: bigint) =>
  service.clients.reader.request({ method: 'anvil_setBalance', params: [address, `0x${value.toString(16)}`] } as never)

describe('the checks of a worker', () => {
  test('find everything there', async () => {
    expect(await reasonsWith()).toEqual(MET)
  })

  test.each<[string, Changes, Partial<Record<keyof typeof MET, string>>, HostFailure]>([
    ['a handler', { handlers: handlersWithout('codehost_pr') }, { 'handler:codehost_pr': 'handler_missing' }, null],
    ['the verifier key', { verifier: undefined }, { verifier_key: 'verifier_key_missing' }, null],
    ['the arbitrator key', { hasArbitrator: false }, { arbitrator_key: 'arbitrator_key_missing' }, null],
    ['its role', { verifier: localKeys().treasury.address }, { verifier_key: 'verifier_role_missing' }, null],
    ['the token of the code host', { settings: { CODEHOST_TOKEN: '' } }, { code_host: 'code_host_token_missing' }, null],
    ['a good token', { settings: { CODEHOST_TOKEN: 'revoked' } }, { code_host: 'code_host_token_refused' }, null],
    ['the right of the token', {}, { code_host: 'code_host_token_refused' }, { status: 403 }],
    ['requests left', {}, { code_host: 'code_host_rate_limited' }, { status: 429, headers: { 'retry-after': '60' } }],
    ['the code host', {}, { code_host: 'code_host_unavailable' }, { status: 0 }],
    ['a code host that works', {}, { code_host: 'code_host_unavailable' }, { status: 502 }],
    ['limits that the code host shows', {}, {}, { status: 404 }],
  ])('tell what is missing: %s', async (_what, changes, reasons, failure) => {
    if (failure !== null) host.world.fail({ path: '/rate_limit', ...failure })
    expect(await reasonsWith(changes)).toEqual({ ...MET, ...reasons })
  })

  test('tell of a verifier key without the gas of a verdict', async () => {
    const balance = await service.clients.reader.getBalance({ address: VERIFIER })
    await setBalance(VERIFIER, 1_000n)
    expect(await reasonsWith()).toEqual({ ...MET, verifier_key: 'verifier_gas_missing' })
    await setBalance(VERIFIER, balance)
    expect(await reasonsWith()).toEqual(MET)
  })

  test.each([
    [200, null],
    [302, null],
    [404, null],
    [500, 'source_unavailable'],
    [0, 'source_unavailable'],
  ])('take a source with status %d (0: no answer) as %s', async (answered, reason) => {
    status = answered
    const checks = checksWith()
    const origin = `http://127.0.0.1:${serverPort()}`
    for (const need of ['encyclopedia:de', `source:${origin}`] as const) expect(await checks.source(need)).toEqual({ need, reason })
  })
})

describe('a worker whose jobs have sources that do not answer', () => {
  const anchorEvidence = { kind: 'wikipedia_revision_wikitext', revisionId: '1', normalization: 'whitespace' } as const
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const checkOf = (need: string) => service.rows.selectFrom('verdict_need').selectAll().where('need', '=', need).executeTakeFirst()

  test('checks everything else in its period, and waits for them a bounded time at its start', async () => {
    const language = 'de'
    await service.addJob('anchored', { verifierConfig: { anchorEvidence: { ...anchorEvidence, language } } })
    const answer = Promise.withResolvers<void>()
    const source = async (need: SourceNeed) => answer.promise.then(() => ({ need, reason: null }))
    const checker = startNeedChecker({ database: service.database, checks: { ...checksWith(), source }, logger, firstMs: 1 })
    try {
      await checker.first
      for (const _again of [1, 2]) {
        await service.rows.deleteFrom('verdict_need').execute()
        await checker.roundOfFixed()
        expect(await checkOf('verifier_key')).toMatchObject({ reason: null })
      }
      expect(checker.latest().get('verifier_key')).toEqual({ need: 'verifier_key', reason: null })
      expect(await checkOf('encyclopedia:de')).toBeUndefined()
    } finally {
      answer.resolve()
      await checker.stop()
    }
    expect(await checkOf('encyclopedia:de')).toMatchObject({ reason: null })
  })
})
