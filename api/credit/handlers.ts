import type { Hex } from 'viem'
import type { BlockRef } from '../../activities/chain/node/answers.ts'
import type { TemplateStep } from '../../activities/chain/templates.ts'
import { approvalView, buildTransactions, sendInstructions } from '../../activities/chain/unsigned-transactions.ts'
import { createAttestor } from '../../activities/credit/attestor.ts'
import { type CreditChain, type CreditFigures, createCreditReads } from '../../activities/credit/reads.ts'
import { borrowSteps, creditBalances, lenderDepositSteps, lenderWithdrawalSteps, repaySteps } from '../../activities/credit/templates.ts'
import { awaitVestedRaw } from '../../activities/pool/capital.ts'
import { createPoolReads, type PoolWalletFigures } from '../../activities/pool/reads.ts'
import { awaitVesting } from '../../activities/pool/records.ts'
import { iso } from '../../domain/common/instants.ts'
import { amount } from '../../domain/common/money.ts'
import type { Quoted } from '../../domain/common/quotes.ts'
import { attestationValidUntil } from '../../domain/credit/attestation.ts'
import { chooseLoan } from '../../domain/credit/loans.ts'
import { quoteBorrow, quoteLenderDeposit, quoteLenderWithdrawal, quoteRepay } from '../../domain/credit/quotes.ts'
import { borrowPreview, lenderDepositPreview, lenderWithdrawalPreview, repayPreview } from '../../domain/credit/view.ts'
import { quoteSeed } from '../../domain/pool/quotes.ts'
import { convertToAssets } from '../../domain/pool/shares.ts'
import { vestingAt } from '../../domain/pool/vesting.ts'
import * as creditOperations from '../../schemas/credit/operations.ts'
import type { CreditRefusal } from '../../schemas/credit/record.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { createUnconfiguredHandlers } from '../http/answers.ts'
import { acceptQuote, DEPOSIT_NOTE, noticeAction, readOrUnavailable, unavailable } from '../pool/views.ts'
import { CREDIT_BOUNDARY, creditView, headView } from './views.ts'

const APPROVE_FIRST = 'Wait until the approval is mined, then estimate and send the second.'
const PLEDGE_FIRST =
  'Send the pledge and wait until it is mined. Then ask again: the answer has only `originate`, with a fresh attestation, and the pledge counts once.'
const UNUSED_PLEDGE =
  'If you pledge and do not begin the loan, ask again for a fresh attestation. Do not call cancelUnusedPledge: the pledge record stays, and the wallet can never pledge or borrow again.'
const WITHDRAWAL_NOTE = 'The shares are fixed. A loan that is seized before execution lowers what they pay; the contract takes no minimum.'
const BORROW_LESS = 'Borrow at most `available`, or wait until lenders deposit or other loans are repaid.'
const SEIZABLE_NOTE = 'This pledge alone is worth less than 105 % of the loan: any caller could seize it at once.'

/** What a transaction is built on: both pools and the wallet at the newest block. */
interface Position {
  wallet: Hex
  block: BlockRef
  figures: CreditFigures
  depositPool: PoolWalletFigures
}

/** The credit pool, and unsigned deposits, withdrawals, loans and repayments. */
export const createCreditHandlers = (deps: ApiDeps): HandlersOf<typeof creditOperations> => {
  const { settings, chain, database, clients, reads, logger } = deps
  const { creditPool: credit, depositPool: pool } = chain.contracts
  if (credit === undefined || pool === undefined)
    return createUnconfiguredHandlers(creditOperations, async () => unavailable('credit_pool_not_configured'))
  const on: CreditChain = { chain, credit, pool }
  const { rows } = database
  const poolRef = { chainId: chain.chainId, address: credit.address }
  const poolReads = createPoolReads(chain, pool, clients, reads)
  const creditReads = createCreditReads(on, clients)
  const attestor = createAttestor(settings)

  const { decimals } = chain.asset

  const readCredit = (_reason: CreditRefusal, description: string): NextAction[] => [
    { kind: 'http', method: 'GET', path: '/credit', description },
  ]
  const accepted = <Quote>(quoted: Quoted<Quote, CreditRefusal>, nextActions = readCredit): Quote =>
    acceptQuote(quoted, decimals, nextActions)
  const giveNotice = (reason: CreditRefusal, description: string): NextAction[] =>
    reason === 'InsufficientBuffer' ? [noticeAction(credit.address, description)] : readCredit(reason, description)

  const currentCredit = async (wallet: Hex) => {
    const read = (at: BlockRef) =>
      Promise.all([creditReads.figuresAt(wallet, at.number), awaitVesting(rows, chain, wallet.toLowerCase(), at)])
    const { block, wallet: depositPool, beside } = await poolReads.confirmed(wallet, read)
    if (depositPool === null) throw new Error('the reading has no wallet')
    const [figures, { state }] = beside
    const value = convertToAssets(depositPool, depositPool.balanceRaw)
    const vestedRaw = state === null ? null : vestingAt(state, value, block.time).vestedRaw
    const loans = await creditReads.ownLoansAt(wallet, figures.debtRaw, block.number)
    return creditView(on, { wallet, block, riskDisclosure: figures.riskDisclosure }, { ...figures, depositPool, vestedRaw }, loans)
  }

  const readPosition = async (wallet: Hex): Promise<Position> => {
    const { block, figures: depositPool } = await poolReads.latest(wallet)
    const figures = await creditReads.figuresAt(wallet, block.number)
    accepted(quoteSeed(figures.pool, depositPool))
    return { wallet, block, figures, depositPool }
  }

  /** Refuses to let a wallet take another risk than the service shows. The way out of the pool stays open. */
  const assertDisclosed = ({ figures: { riskDisclosure: contract } }: Position): void => {
    const { riskDisclosure: service } = credit
    if (contract !== service) throw new ServiceError('credit_disclosure_mismatch', { details: { contract, service } })
  }

  const build = async (
    { wallet, block }: Position,
    steps: TemplateStep[],
    { notes, order = APPROVE_FIRST, borrower = wallet }: { notes: string[]; order?: string; borrower?: Hex },
  ) => {
    const instructions = sendInstructions(wallet, steps, order, notes)
    const plan = { steps, watched: creditBalances(on, wallet, borrower), statusPath: '/credit', instructions }
    return { ...headView(on), ...(await buildTransactions(deps, wallet, block, plan)), boundary: CREDIT_BOUNDARY }
  }

  const buildDeposit = async (wallet: Hex, amountRaw: bigint) => {
    const position = await readPosition(wallet)
    assertDisclosed(position)
    const { pool: lent, allowanceRaw } = position.figures
    const quote = accepted(quoteLenderDeposit(lent, amountRaw))
    const spend = { amountRaw, allowanceRaw }
    return {
      ...(await build(position, lenderDepositSteps(on, wallet, spend), { notes: [DEPOSIT_NOTE] })),
      direction: 'deposit' as const,
      approval: approvalView(spend, decimals),
      preview: lenderDepositPreview(lent, quote, decimals, position.block.number),
    }
  }

  const buildWithdrawal = async (wallet: Hex, sharesRaw: bigint) => {
    const position = await readPosition(wallet)
    const { pool: lent } = position.figures
    const quote = accepted(quoteLenderWithdrawal(lent, sharesRaw), giveNotice)
    return {
      ...(await build(position, lenderWithdrawalSteps(on, wallet, quote.sharesRaw), { notes: [WITHDRAWAL_NOTE] })),
      direction: 'withdraw' as const,
      preview: lenderWithdrawalPreview(lent, quote, decimals, position.block.number),
    }
  }

  /** The configured key, if it is the one whose attestations the contract accepts. */
  const findAttestor = async () => {
    if (attestor === null) return null
    const operator = await creditReads.operator()
    if (operator === attestor.address) return attestor
    const facts = { operator, configured: attestor.address }
    logger.warn(facts, 'CREDIT_OPERATOR_KEY is not the key of the credit pool: no loan can be prepared')
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
    const quote = acceptQuote(quoteBorrow(facts, sharesRaw, amountRaw), decimals, readCredit, { InsufficientBuffer: BORROW_LESS })
    if (signer === null) throw new Error('a loan was quoted without an attestor')
    const { pledgeSharesRaw } = quote
    const validUntil = attestationValidUntil(block.time)
    const expiresAt = iso(validUntil * 1000)
    const stated = { borrower: wallet, loanId, pledgeSharesRaw, amountRaw, vestedRaw: quote.vestedRaw, validUntil }
    const signed = await signer.sign({ ...stated, nonce: attestationNonce }, poolRef)
    const notes = [
      `The attestation is valid until ${expiresAt}. After that, ask again.`,
      ...(quote.needsPledge ? [UNUSED_PLEDGE] : []),
      ...(quote.seizableAtOnce ? [SEIZABLE_NOTE] : []),
    ]
    const steps = borrowSteps(on, loanId, quote, { validUntil, signature: signed.signature })
    return {
      ...(await build(position, steps, { notes, order: PLEDGE_FIRST })),
      direction: 'borrow' as const,
      preview: borrowPreview(quote, loanId, validUntil, decimals),
      eligibilityAttestation: {
        ...signed,
        vestedAssets: amount({ raw: quote.vestedRaw, decimals }),
        validUntil,
        nonce: attestationNonce.toString(),
      },
      attestationExpiresAt: expiresAt,
    }
  }

  const buildRepayment = async (wallet: Hex, named: Hex | null, amountRaw: bigint) => {
    const position = await readPosition(wallet)
    const { allowanceRaw, debtRaw, pool: lent } = position.figures
    const loanId = named ?? accepted(chooseLoan(await creditReads.ownLoansAt(wallet, debtRaw, position.block.number)))
    const loan = await creditReads.loanAt(loanId, position.block.number)
    const quote = accepted(quoteRepay(loan, amountRaw, lent.walletRaw))
    const spend = { amountRaw, allowanceRaw }
    const notes = quote.pledgeReleased ? ['This payment ends the loan and releases its pledge.'] : []
    return {
      ...(await build(position, repaySteps(on, loanId, spend), { notes, borrower: loan.borrower })),
      direction: 'repay' as const,
      approval: approvalView(spend, decimals),
      preview: repayPreview(quote, loanId, decimals),
    }
  }

  return {
    getCredit: ({ caller }) => readOrUnavailable('credit_pool_read_failed', () => currentCredit(caller.wallet)),

    buildCreditTransactions: async ({ caller, body }) => {
      const { wallet } = caller
      const raw = (digits: string | undefined) => BigInt(digits ?? 0)
      switch (body.direction) {
        case 'deposit':
          return { status: 200, body: await buildDeposit(wallet, raw(body.amount)) }
        case 'withdraw':
          return { status: 200, body: await buildWithdrawal(wallet, raw(body.shares)) }
        case 'borrow':
          return { status: 200, body: await buildLoan(wallet, raw(body.pledgeShares), raw(body.amount)) }
        case 'repay':
          return { status: 200, body: await buildRepayment(wallet, (body.loanId ?? null) as Hex | null, raw(body.amount)) }
      }
    },
  }
}
