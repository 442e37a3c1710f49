import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { concatHex, createPublicClient, encodeFunctionData, type Hex, http, serializeErc6492Signature } from 'viem'
import { type ContractArtifact, loadArtifact } from '../../../local/contracts/artifact.ts'
import { createPipeline } from '../../../local/contracts/pipeline.ts'
import { type Anvil, startAnvil } from '../../contracts/support/anvil.ts'
import { OWNER_KEY } from '../../contracts/support/world.ts'
import { type Api, accounts, startApi } from '../../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

type Owner = (typeof accounts)[keyof typeof accounts]
const { worker, other, admin, verifier } = accounts

const settings = { RATE_LIMITS: '{"auth_nonce":{"limit":10000},"auth_verify":{"limit":10000}}' }

let anvil: Anvil
let database: TestDatabase
let api: Api
let artifact: ContractArtifact
let factory: Hex

beforeAll(async () => {
  ;[database, anvil, artifact] = await Promise.all([createTestDatabase(), startAnvil(), loadArtifact('MockWalletFactory')])
  api = await startApi({ databaseUrl: database.url, rpcUrl: anvil.rpcUrl, settings })
  factory = await transact({ data: artifact.bytecode })
})
afterAll(async () => {
  await api.close()
  await Promise.all([database.drop(), anvil.stop()])
})

const transact = async (call: { to?: Hex; data: Hex }): Promise<Hex> => {
  const pipeline = await createPipeline(anvil.rpcUrl)
  const address = await pipeline.send({ label: 'wallets', from: OWNER_KEY, ...call })
  await pipeline.settle()
  return address
}

const addressesOf = (owners: readonly Owner[]): Hex[] => owners.map(({ address }) => address)
const deployCall = (owners: readonly Owner[]): Hex =>
  encodeFunctionData({ abi: artifact.abi, functionName: 'deploy', args: [addressesOf(owners)] })
const walletOf = async (owners: readonly Owner[]): Promise<Hex> => {
  const client = createPublicClient({ transport: http(anvil.rpcUrl) })
  return (await client.readContract({
    address: factory,
    abi: artifact.abi,
    functionName: 'walletOf',
    args: [addressesOf(owners)],
  })) as Hex
}
const deployed = async (...owners: Owner[]): Promise<Hex> => {
  await transact({ to: factory, data: deployCall(owners) })
  return walletOf(owners)
}

const signedBy = async (message: string, ...signers: Owner[]): Promise<Hex> =>
  concatHex(await Promise.all(signers.map((signer) => signer.signMessage({ message }))))
const wrapped = async (message: string, owners: Owner[], signers = owners): Promise<Hex> =>
  serializeErc6492Signature({ address: factory, data: deployCall(owners), signature: await signedBy(message, ...signers) })

const messageFor = async (wallet: string): Promise<string> => (await api.call('/auth/nonce', { body: { wallet } })).body.message
const verify = (message: string, signature: Hex) => api.call('/auth/verify', { body: { message, signature } })

describe('a contract wallet', () => {
  let shared: Hex
  beforeAll(async () => {
    shared = await deployed(worker, admin)
  })

  test('signs in with the signatures of its owners (EIP-1271)', async () => {
    const wallet = await deployed(worker, other)
    const message = await messageFor(wallet)
    const { status, body } = await verify(message, await signedBy(message, worker, other))
    expect([status, body.wallet]).toEqual([200, wallet.toLowerCase()])
    expect((await api.call('/auth/session', { token: body.token })).body.wallet).toBe(wallet.toLowerCase())
  })

  test('of one owner signs in with a signature as long as that of a key', async () => {
    const message = await messageFor(await deployed(other))
    expect((await verify(message, await signedBy(message, other))).status).toBe(200)
  })

  test('signs in before it is deployed (ERC-6492), and with the same signature form afterwards', async () => {
    const owners = [admin, verifier]
    const wallet = await walletOf(owners)
    const before = await messageFor(wallet)
    expect((await verify(before, await wrapped(before, owners))).body.wallet).toBe(wallet.toLowerCase())
    await deployed(...owners)
    const after = await messageFor(wallet)
    expect((await verify(after, await wrapped(after, owners))).status).toBe(200)
  })

  test.each<[string, (message: string) => Promise<Hex>, string]>([
    ['of one owner alone', (message) => signedBy(message, worker), 'siwe_signature_mismatch'],
    ['of its owners in another order', (message) => signedBy(message, admin, worker), 'siwe_recover_failed'],
    ['of its owners on another text', () => signedBy('another text', worker, admin), 'siwe_recover_failed'],
    ['for the wallet of other owners', (message) => wrapped(message, [other, verifier]), 'siwe_recover_failed'],
    ['with an unreadable wrapper', async () => concatHex([`0x${'00'.repeat(65)}`, `0x${'6492'.repeat(16)}`]), 'siwe_recover_failed'],
    ['that is its key followed by more', async (message) => concatHex([await signedBy(message, worker), '0x00']), 'siwe_recover_failed'],
  ])('does not sign in with a signature %s, and keeps its nonce', async (_name, make, code) => {
    const message = await messageFor(shared)
    const refused = await verify(message, await make(message))
    expect([refused.status, refused.body.code]).toEqual([401, code])
    expect((await verify(message, await signedBy(message, worker, admin))).status).toBe(200)
  })

  test('that is not deployed does not sign in without the wrapper', async () => {
    const message = await messageFor(await walletOf([other, admin]))
    expect((await verify(message, await signedBy(message, other, admin))).body.code).toBe('siwe_recover_failed')
  })
})

test('a key signs in with 65 bytes only', async () => {
  const message = await messageFor(worker.address)
  const { status, body } = await verify(message, concatHex([await signedBy(message, worker), '0x00']))
  expect([status, body.code]).toEqual([401, 'siwe_recover_failed'])
})

describe('while the chain cannot be read', () => {
  let blind: Api
  beforeAll(async () => {
    blind = await startApi({ databaseUrl: database.url, settings })
  })
  afterAll(() => blind.close())

  test('keys sign in', async () => {
    const message = await messageFor(worker.address)
    expect((await blind.call('/auth/verify', { body: { message, signature: await signedBy(message, worker) } })).status).toBe(200)
  })

  test('a contract wallet is refused with a sentence that says who can sign in, and signs in later', async () => {
    const message = await messageFor(await deployed(verifier, worker))
    const signature = await signedBy(message, verifier, worker)
    const { status, body } = await blind.call('/auth/verify', { body: { message, signature } })
    expect([status, body.code, body.retryable]).toEqual([502, 'blockchain_unavailable', true])
    expect(body.detail).toMatch(/only externally owned accounts can sign in now/)
    expect((await verify(message, signature)).status).toBe(200)
  })
})
