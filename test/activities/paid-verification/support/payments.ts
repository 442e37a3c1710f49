// Payments by authorisation on a real chain, and runs that they pay for.
import { randomBytes } from 'node:crypto'
import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi, parseSignature } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { loadSigningKey } from '../../../../activities/common/document-signing.ts'
import { createDocumentSigner } from '../../../../activities/identity/signing-keys.ts'
import { createRunReceipts } from '../../../../activities/paid-verification/receipts.ts'
import { createMoveRun, type MoveRun, type RunRecord } from '../../../../activities/paid-verification/records.ts'
import { runKeyOf } from '../../../../activities/paid-verification/secrets.ts'
import { getProfile } from '../../../../domain/paid-verification/profiles.ts'
import { requestHash } from '../../../../domain/paid-verification/request-hash.ts'
import type { ProfileResult, Verdict } from '../../../../schemas/paid-verification/profiles/execution.ts'
import { STRUCTURED_OUTPUT } from '../../../domain/paid-verification/builders/requests.ts'
import { makePem } from '../../../support/api.ts'
import type { Journal } from '../../support/journal-world.ts'

export const PRICE = 5_000_000n
const DAY_MS = 86_400_000
const TOKEN = parseAbi([
  'function mint(address to, uint256 amount)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function balanceOf(address owner) view returns (uint256)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
const CANCEL_TYPES = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const vrs = (signature: Hex) => {
  const { r, s, yParity } = parseSignature(signature)
  return [27 + yParity, r, s] as const
}

export const resultOf = (verdict: Verdict): ProfileResult => ({
  verdict,
  reason: verdict === 'inconclusive' ? 'flaky' : null,
  checks: [{ id: 'schema-valid', passed: { approved: true, rejected: false, inconclusive: null }[verdict], detail: 'Found.' }],
  artefacts: [{ role: 'output', sha256: 'a'.repeat(64), bytes: 2 }],
  evidence: {},
})

const PROFILE = getProfile('structured-output-evidence-v1', 1)
const REQUEST = { profile: PROFILE.document.name, profileVersion: 1, ...STRUCTURED_OUTPUT }
/** Base address in the receipts of these runs. */
export const RECEIPTS_BASE = 'https://work.example'
const receiptPem = makePem()

/** Payers, their authorisations and what they do with their money, on the chain of a journal. */
export const usePayments = (journal: () => Journal) => {
  const payTo = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Hex
  const token = (): Hex => journal().world.at.token
  const read = <Name extends 'name' | 'version'>(functionName: Name) =>
    journal().clients.reader.readContract({ address: token(), abi: TOKEN, functionName })
  const domain = async () => ({
    name: await read('name'),
    version: await read('version'),
    chainId: journal().chainId,
    verifyingContract: token(),
  })
  const balanceOf = (owner: Hex): Promise<bigint> =>
    journal().clients.reader.readContract({ address: token(), abi: TOKEN, functionName: 'balanceOf', args: [owner] })
  const blockTime = async (): Promise<number> => Number((await journal().clients.reader.getBlock()).timestamp)

  const walletOf = (account: PrivateKeyAccount) => createWalletClient({ account, transport: http(journal().world.rpcUrl) })
  const send = async (account: PrivateKeyAccount, data: Hex): Promise<Hex> => {
    const hash = await walletOf(account).sendTransaction({ to: token(), data, chain: null })
    const mined = () => journal().clients.reader.waitForTransactionReceipt({ hash, timeout: 2_000 })
    // The node leaves a transaction in its pool now and then, when several arrive at once.
    await mined().catch(() => journal().mine().then(mined))
    return hash
  }

  /** A payer with the price and gas. */
  const payer = async (amount = PRICE): Promise<PrivateKeyAccount> => {
    const account = privateKeyToAccount(generatePrivateKey())
    await journal().world.rpc('anvil_setBalance', account.address, '0xde0b6b3a7640000')
    await send(account, encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [account.address, amount] }))
    return account
  }

  const sign = async (
    account: PrivateKeyAccount,
    { to = payTo as Hex, value = PRICE, seconds = 900, nonce = `0x${randomBytes(32).toString('hex')}` as Hex } = {},
  ) => {
    const message = { from: account.address, to, value, validAfter: 0n, validBefore: BigInt((await blockTime()) + seconds), nonce }
    const signature = await account.signTypedData({
      domain: await domain(),
      types: TRANSFER_TYPES,
      primaryType: 'TransferWithAuthorization',
      message,
    })
    return { ...message, signature }
  }
  type Signed = Awaited<ReturnType<typeof sign>>

  /** Moves runs on; the receipts of their ends are signed. */
  const moveRun: MoveRun = (...move) => {
    const readKey = () => loadSigningKey(receiptPem, 'configured')
    const sign = createDocumentSigner({ ...journal().deps, readKey })
    return createMoveRun(createRunReceipts({ sign, publicBaseUrl: RECEIPTS_BASE, assetSymbol: 'USDC' }))(...move)
  }

  /** Stores a run that this authorisation pays for. */
  const record = async (signed: Signed, verdict: Verdict | null, changes: Partial<RunRecord> = {}): Promise<RunRecord> => {
    const now = Date.now()
    const run: RunRecord = {
      runKey: runKeyOf(signed.nonce),
      state: verdict === null ? 'authorized' : 'executed',
      profileRef: PROFILE.ref,
      profileDigest: PROFILE.digest,
      requestHash: requestHash(REQUEST),
      target: REQUEST.target,
      inputs: REQUEST.inputs,
      hasCredential: false,
      sealedCredential: null,
      network: `eip155:${journal().chainId}`,
      asset: token().toLowerCase(),
      payer: signed.from.toLowerCase(),
      payTo: signed.to.toLowerCase(),
      nonce: signed.nonce,
      amountRaw: signed.value,
      decimals: 6,
      validAfter: 0,
      validBefore: signed.validBefore as never,
      signature: signed.signature,
      admittedBlock: ((await journal().clients.reader.getBlockNumber()) - 0n) as never,
      attempts: 0,
      verdict,
      result: verdict === null ? null : resultOf(verdict),
      uncollectable: null,
      txHash: null,
      blockNumber: null,
      receiptId: null,
      submittedAt: now,
      executedAt: verdict === null ? null : now,
      endedAt: null,
      expiresAt: now + 30 * DAY_MS,
      wokenAt: null,
      ...changes,
    }
    await journal().database.rows.insertInto('verification_run').values(run).execute()
    return run
  }

  return {
    payTo,
    /** The transfer in a payload of x402. */
    signedOf: ({ signature, authorization }: { signature: Hex; authorization: Record<string, string> }): Signed => ({
      from: authorization.from as Hex,
      to: authorization.to as Hex,
      value: BigInt(authorization.value ?? 0),
      validAfter: BigInt(authorization.validAfter ?? 0),
      validBefore: BigInt(authorization.validBefore ?? 0),
      nonce: authorization.nonce as Hex,
      signature,
    }),
    /** The payer holds the price again. */
    refill: (account: PrivateKeyAccount, amount = PRICE) =>
      send(account, encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [account.address, amount] })),
    balanceOf,
    blockTime,
    payer,
    sign,
    moveRun,
    record,
    /** Another account sends what was signed. */
    sendAs: (account: PrivateKeyAccount, { from, to, value, validAfter, validBefore, nonce, signature }: Signed) =>
      send(
        account,
        encodeFunctionData({
          abi: TOKEN,
          functionName: 'transferWithAuthorization',
          args: [from, to, value, validAfter, validBefore, nonce, ...vrs(signature)],
        }),
      ),
    cancel: async (account: PrivateKeyAccount, nonce: Hex) => {
      const message = { authorizer: account.address, nonce }
      const signature = await account.signTypedData({
        domain: await domain(),
        types: CANCEL_TYPES,
        primaryType: 'CancelAuthorization',
        message,
      })
      return send(
        account,
        encodeFunctionData({ abi: TOKEN, functionName: 'cancelAuthorization', args: [account.address, nonce, ...vrs(signature)] }),
      )
    },
    moveAway: (account: PrivateKeyAccount, amount = PRICE) =>
      send(account, encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [`0x${'9'.repeat(40)}`, amount] })),
  }
}
