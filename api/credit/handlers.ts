import type { Hex } from 'viem'
import type { BlockRef } from '../../activities/chain/node/answers.ts'
import type { WatchedBalance } from '../../activities/chain/simulation.ts'
import { buildTemplates, type TemplateStep } from '../../activities/chain/templates.ts'
import { createAttestor } from '../../activities/credit/attestor.ts'
import { type CreditChain, type CreditFigures, createCreditReads } from '../../activities/credit/reads.ts'
import { borrowSteps, creditBalances, lenderDepositSteps, lenderWithdrawalSteps, repaySteps } from '../../activities/credit/templates.ts'
import { awaitVestedRaw } from '../../activities/pool/capital.ts'
import { createPoolReads, type PoolWalletFigures } from '../../activities/pool/reads.ts'
import { awaitVesting } from '../../activities/pool/records.ts'
import { attestationValidUntil, type VestingAttestation } from '../../domain/credit/attestation.ts'
import { quoteBorrow, quoteLenderDeposit, quoteLenderWithdrawal, quoteRepay } from '../../domain/credit/quotes.ts'
import type { CreditFacts } from '../../domain/credit/view.ts'
import type { Quoted } from '../../domain/pool/quotes.ts'
import { convertToAssets } from '../../domain/pool/shares.ts'
import { vestingAt } from '../../domain/pool/vesting.ts'
import type * as creditOperations from '../../schemas/credit/operations.ts'
import type { CreditRefusal } from '../../schemas/credit/record.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { isUnreadable, refusalError, unavailable } from '../pool/answers.ts'
import { borrowView, creditView, lenderDepositView, lenderWithdrawalView, repayView } from './views.ts'

export type CreditDeps = Pick<ApiDeps, 'settings' | 'chain' | 'database' | 'clients' | 'reads'> & {
  logger: Pick<ApiDeps['logger'], 'warn'>
}

const readCreditNext = (remedy: string): NextAction[] => [{ kind: 'http', method: 'GET', path: '/credit', description: remedy }]

/** What a transaction is built on: both pools and the wallet at the newest block. */
interface Position {
  wallet: Hex
  block: BlockRef
  figures: CreditFigures
  depositPool: PoolWalletFigures
}

/** The credit pool, and unsigned deposits, withdrawals, loans and repayments. */
export const createCreditHandlers = ({
  settings,
  chain,
  database,
  clients,
  reads,
  logger,
}: CreditDeps): HandlersOf<typeof creditOperations> => {
  const { creditPool: credit, depositPool: pool } = chain.contracts
  if (credit === undefined || pool === undefined) {
    const notConfigured = async () => unavailable('credit_pool_not_configured')
    return { getCredit: notConfigured, buildCreditTransactions: notConfigured }
  }
  const on: CreditChain = { chain, credit, pool }
  const { rows } = database
  const poolRef = { chainId: chain.chainId, address: credit.address }
  const poolReads = createPoolReads(chain, pool, clients, reads)
  const creditReads = createCreditReads(on, clients)
  const attestor = createAttestor(settings)

  const accepted = <Quote>({ quote, refusal }: Quoted<Quote, CreditRefusal>): Quote => {
    if (refusal !== null) throw refusalError(chain.asset.decimals, refusal, readCreditNext)
    return quote
  }

  const currentCredit = async (wallet: Hex) => {
    const {
      block,
      wallet: depositPool,
      beside,
    } = await poolReads.confirmed(wallet, (at) =>
      Promise.all([creditReads.figuresAt(wallet, at.number), awaitVesting(rows, chain, wallet.toLowerCase(), at)]),
    )
    if (depositPool === null) throw new Error('the reading has no wallet')
    const [figures, { state }] = beside
    const value = convertToAssets(depositPool, depositPool.balanceRaw)
    const vestedRaw = state === null ? null : vestingAt(state, value, block.time).vestedRaw
    const facts: CreditFacts = { ...figures, depositPool, vestedRaw }
    return creditView(on, wallet, block, facts, figures.riskDisclosure)
  }

  const readPosition = async (wallet: Hex): Promise<Position> => {
    const { block, figures: depositPool } = await poolReads.latest(wallet)
    const figures = await creditReads.figuresAt(wallet, block.number)
    return { wallet, block, figures, depositPool }
  }

  /** Refuses to let a wallet take another risk than the service shows. The way out of the pool stays open. */
  const assertDisclosed = ({ figures: { riskDisclosure: contract } }: Position): void => {
    const { riskDisclosure: service } = credit
    if (contract !== service) throw new ServiceError('credit_disclosure_mismatch', { details: { contract, service } })
  }

  const build = async (
    { wallet, block, figures }: Position,
    steps: TemplateStep[],
    watched: WatchedBalance[] = creditBalances(on, wallet),
  ) => {
    const built = await buildTemplates(clients, wallet, { steps, watched, statusPath: '/credit' }, block)
    return { on, wallet, block, figures, built }
  }

  const buildDeposit = async (wallet: Hex, amountRaw: bigint) => {
    const position = await readPosition(wallet)
    assertDisclosed(position)
    const quote = accepted(quoteLenderDeposit(position.figures.pool, amountRaw))
    const { allowanceRaw } = position.figures
    return lenderDepositView(await build(position, lenderDepositSteps(on, wallet, { amountRaw, allowanceRaw })), quote)
  }

  const buildWithdrawal = async (wallet: Hex, sharesRaw: bigint) => {
    const position = await readPosition(wallet)
    const quote = accepted(quoteLenderWithdrawal(position.figures.pool, sharesRaw))
    return lenderWithdrawalView(await build(position, lenderWithdrawalSteps(on, wallet, quote.sharesRaw)), quote)
  }

  /** The configured key, if it is the one whose attestations the contract accepts. */
  const findAttestor = async () => {
    if (attestor === null) return null
    const operator = await creditReads.operator()
    if (operator === attestor.address) return attestor
    logger.warn(
      { operator, configured: attestor.address },
      'CREDIT_OPERATOR_KEY is not the key of the credit pool: no loan can be prepared',
    )
    return null
  }

  const buildLoan = async (wallet: Hex, sharesRaw: bigint, amountRaw: bigint) => {
    const position = await readPosition(wallet)
    assertDisclosed(position)
    const { block, figures, depositPool } = position
    // Before the others: a read that fails while they run would leave them without a handler.
    const confirmed = await poolReads.confirmedAt(block)
    const [signer, { loanId, attestationNonce, pledge }, vestedRaw] = await Promise.all([
      findAttestor(),
      creditReads.nextLoanAt(wallet, block.number),
      awaitVestedRaw(rows, chain, wallet.toLowerCase(), {
        block,
        confirmed,
        poolAssetsRaw: convertToAssets(depositPool, depositPool.balanceRaw),
      }),
    ])
    const { terms, debtRaw, pool: lent } = figures
    const facts = { depositPool, terms, bufferRaw: lent.bufferRaw, debtRaw, pledge, vestedRaw, canAttest: signer !== null }
    const quote = accepted(quoteBorrow(facts, sharesRaw, amountRaw))
    if (signer === null) throw new Error('a loan was quoted without an attestor')
    const attestation: VestingAttestation = {
      borrower: wallet,
      loanId,
      pledgeSharesRaw: quote.pledgeSharesRaw,
      amountRaw,
      vestedRaw: quote.vestedRaw,
      validUntil: attestationValidUntil(block.time),
      nonce: attestationNonce,
    }
    const signed = await signer.sign(attestation, poolRef)
    const { validUntil } = attestation
    const built = await build(position, borrowSteps(on, loanId, quote, { validUntil, signature: signed.signature }))
    return borrowView(built, quote, attestation, signed)
  }

  const buildRepayment = async (wallet: Hex, loanId: Hex, amountRaw: bigint) => {
    const position = await readPosition(wallet)
    const { allowanceRaw, pool: lent } = position.figures
    const loan = await creditReads.loanAt(loanId, position.block.number)
    const quote = accepted(quoteRepay(loan, amountRaw, lent.walletRaw))
    const steps = repaySteps(on, loanId, { amountRaw, allowanceRaw })
    return repayView(await build(position, steps, creditBalances(on, wallet, loan.borrower)), quote, loanId)
  }

  return {
    getCredit: async ({ caller }) => {
      try {
        return { status: 200, body: await currentCredit(caller.wallet) }
      } catch (error) {
        if (isUnreadable(error)) return unavailable('credit_pool_read_failed')
        throw error
      }
    },

    buildCreditTransactions: async ({ caller, body }) => {
      const { wallet } = caller
      const raw = (digits: string | undefined) => BigInt(digits ?? 0)
      switch (body.direction) {
        case 'deposit':
          return { status: 200, body: await buildDeposit(wallet, raw(body.assets)) }
        case 'withdraw':
          return { status: 200, body: await buildWithdrawal(wallet, raw(body.shares)) }
        case 'borrow':
          return { status: 200, body: await buildLoan(wallet, raw(body.pledgeShares), raw(body.amount)) }
        case 'repay':
          return { status: 200, body: await buildRepayment(wallet, (body.loanId ?? '0x') as Hex, raw(body.amount)) }
      }
    },
  }
}
