import { erc20Abi, type Hex, zeroAddress } from 'viem'
import { loanIdOf, type OwnLoan } from '../../domain/credit/loans.ts'
import { type LoanRecord, outstandingRaw, type PledgeRecord } from '../../domain/credit/quotes.ts'
import type { CreditFacts } from '../../domain/credit/view.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { creditPoolAbi } from '../chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../chain/abi/deposit-pool.ts'
import { awaitMembers } from '../chain/block-reads.ts'
import type { ChainClients } from '../chain/clients.ts'
import { convertReadErrors } from '../chain/reachable.ts'
import type { PoolChain } from '../pool/reads.ts'

/** A chain file with a credit pool and the deposit pool whose shares secure its loans. */
export interface CreditChain extends PoolChain {
  credit: NonNullable<ChainFile['contracts']['creditPool']>
}

/** The credit pool with one wallet, at one block, base units. */
export interface CreditFigures extends Omit<CreditFacts, 'depositPool' | 'vestedRaw'> {
  /** `RISK_DISCLOSURE` of the contract. */
  riskDisclosure: string
}

const ACTIVE = 1
/** Loans that are read together. */
const LOANS_AT_ONCE = 20n

/** Reads of the credit pool; the numbers of one answer are of one block. Throws 502 `blockchain_unavailable`. */
export const createCreditReads = ({ chain, credit, pool }: CreditChain, { reader }: ChainClients) => {
  const contract = { address: credit.address, abi: creditPoolAbi } as const
  const poolRef = { chainId: chain.chainId, address: credit.address }
  const token = { address: chain.asset.address as Hex, abi: erc20Abi } as const

  const poolAt = (blockNumber: bigint) => {
    const at = { ...contract, blockNumber }
    return awaitMembers({
      managedRaw: reader.readContract({ ...at, functionName: 'totalAssets' }),
      supplyRaw: reader.readContract({ ...at, functionName: 'totalSupply' }),
      seedRaw: reader.readContract({ ...at, functionName: 'operatorPrincipalShares' }),
      bufferRaw: reader.readContract({ ...at, functionName: 'bufferAssets' }),
      totalRaw: reader.readContract({ ...at, functionName: 'TOTAL_ASSET_CAP' }),
      perHolderRaw: reader.readContract({ ...at, functionName: 'PER_LENDER_CAP' }),
      ltvBps: reader.readContract({ ...at, functionName: 'ltvBps' }).then(Number),
      interestBps: reader.readContract({ ...at, functionName: 'interestBps' }).then(Number),
      principalOutstandingRaw: reader.readContract({ ...at, functionName: 'principalOutstanding' }),
      totalPledgedSharesRaw: reader.readContract({ ...at, functionName: 'totalPledgedShares' }),
      defaults: reader.readContract({ ...at, functionName: 'defaults' }).then(Number),
      riskDisclosure: reader.readContract({ ...at, functionName: 'RISK_DISCLOSURE' }),
    })
  }

  const walletAt = (wallet: Hex, blockNumber: bigint) =>
    awaitMembers({
      balanceRaw: reader.readContract({ ...contract, functionName: 'balanceOf', args: [wallet], blockNumber }),
      lockedRaw: reader.readContract({ ...contract, functionName: 'lockedShares', args: [wallet], blockNumber }),
      walletRaw: reader.readContract({ ...token, functionName: 'balanceOf', args: [wallet], blockNumber }),
      allowanceRaw: reader.readContract({ ...token, functionName: 'allowance', args: [wallet, credit.address], blockNumber }),
      debtRaw: reader.readContract({ ...contract, functionName: 'outstandingDebt', args: [wallet], blockNumber }),
    })

  const pledgeOf = async (loanId: Hex, blockNumber: bigint): Promise<PledgeRecord | null> => {
    const at = { address: pool.address, abi: depositPoolAbi, blockNumber } as const
    const [owner, sharesRaw, active] = await reader.readContract({ ...at, functionName: 'pledges', args: [loanId] })
    return owner === zeroAddress ? null : { sharesRaw, active }
  }

  const readLoan = async (loanId: Hex, blockNumber: bigint) => {
    const loan = await reader.readContract({ ...contract, functionName: 'loans', args: [loanId], blockNumber })
    const [borrower, , outstandingPrincipalRaw, outstandingInterestRaw, pledgeSharesRaw, , , status] = loan
    const active = status === ACTIVE
    return { borrower: borrower.toLowerCase() as Hex, active, outstandingPrincipalRaw, outstandingInterestRaw, pledgeSharesRaw }
  }

  return {
    figuresAt: (wallet: Hex, blockNumber: bigint): Promise<CreditFigures> =>
      convertReadErrors(async () => {
        const [all, own] = await Promise.all([poolAt(blockNumber), walletAt(wallet, blockNumber)])
        const { managedRaw, supplyRaw, seedRaw, bufferRaw, totalRaw, perHolderRaw, ltvBps, interestBps, ...figures } = all
        const { balanceRaw, lockedRaw, walletRaw, ...amounts } = own
        const caps = { totalRaw, perHolderRaw }
        return {
          pool: { managedRaw, supplyRaw, seedRaw, bufferRaw, caps, balanceRaw, lockedRaw, walletRaw },
          terms: { ltvBps, interestBps },
          ...figures,
          ...amounts,
        }
      }),

    /** What an attestation of the wallet's next loan depends on. */
    nextLoanAt: (wallet: Hex, blockNumber: bigint) =>
      convertReadErrors(async () => {
        const [loanId, attestationNonce] = await Promise.all([
          reader.readContract({ ...contract, functionName: 'previewLoanId', args: [wallet], blockNumber }),
          reader.readContract({ ...contract, functionName: 'vestingAttestationNonces', args: [wallet], blockNumber }),
        ])
        return { loanId, attestationNonce, pledge: await pledgeOf(loanId, blockNumber) }
      }),

    /** A loan with its borrower in lower case. One that does not exist is not active, and its borrower is the zero address. */
    loanAt: (loanId: Hex, blockNumber: bigint): Promise<LoanRecord & { borrower: Hex }> =>
      convertReadErrors(() => readLoan(loanId, blockNumber)),

    /** Active loans of a wallet that owes `debtRaw`, newest first. Reads back until they explain the whole debt. */
    ownLoansAt: (wallet: Hex, debtRaw: bigint, blockNumber: bigint): Promise<OwnLoan[]> =>
      convertReadErrors(async () => {
        const found: OwnLoan[] = []
        if (debtRaw === 0n) return found
        let unexplainedRaw = debtRaw
        let next = await reader.readContract({ ...contract, functionName: 'nextLoanNonce', args: [wallet], blockNumber })
        while (unexplainedRaw > 0n && next > 0n) {
          const size = next < LOANS_AT_ONCE ? next : LOANS_AT_ONCE
          const ids = Array.from({ length: Number(size) }, (_, index) => loanIdOf(poolRef, wallet, next - 1n - BigInt(index)))
          next -= size
          const loans = await Promise.all(ids.map(async (loanId) => ({ loanId, ...(await readLoan(loanId, blockNumber)) })))
          const active = loans.filter((loan) => loan.active)
          found.push(...active)
          unexplainedRaw -= active.reduce((sum, loan) => sum + outstandingRaw(loan), 0n)
        }
        return found
      }),

    /** The only address whose attestations the contract accepts, in lower case. */
    operator: (): Promise<Hex> =>
      convertReadErrors(async () => (await reader.readContract({ ...contract, functionName: 'operator' })).toLowerCase() as Hex),
  }
}
