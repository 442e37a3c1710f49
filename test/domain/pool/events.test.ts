import { expect, test } from '@jest/globals'
import { poolEventsOf, type SavingsLog } from '../../../domain/pool/events.ts'

const WALLET = `0x${'a1'.repeat(20)}`
const OTHER = `0x${'b2'.repeat(20)}`
const LOAN = `0x${'11'.repeat(32)}`
const PLACE = { blockNumber: 7n, logIndex: 3, at: 1_000 }
const log = (contract: string, event: string, args: Record<string, unknown>): SavingsLog => ({
  contract,
  event,
  args,
  blockNumber: 7n,
  logIndex: 3,
  blockTime: 1_000,
  txHash: '0xaa',
})

test.each<[string, SavingsLog, object[]]>([
  [
    'a deposit for the wallet',
    log('pool', 'Deposit', { caller: OTHER, owner: WALLET, assets: '5', shares: '4' }),
    [{ ...PLACE, kind: 'deposit', assetsRaw: 5n, sharesRaw: 4n, txHash: '0xaa' }],
  ],
  ['a deposit by the wallet for another', log('pool', 'Deposit', { caller: WALLET, owner: OTHER, assets: '5', shares: '4' }), []],
  [
    'a withdrawal of the wallet’s shares',
    log('pool', 'Withdraw', { caller: OTHER, receiver: OTHER, owner: WALLET, assets: '5', shares: '4' }),
    [{ ...PLACE, kind: 'withdraw', assetsRaw: 5n, sharesRaw: 4n }],
  ],
  ['a withdrawal to the wallet', log('pool', 'Withdraw', { caller: WALLET, receiver: WALLET, owner: OTHER, assets: '5', shares: '4' }), []],
  ['a transfer of shares', log('pool', 'Transfer', { from: WALLET, to: OTHER, amount: '5' }), []],
  ['a lender’s deposit', log('credit', 'Deposit', { caller: WALLET, owner: WALLET, assets: '5', shares: '4' }), []],
  ['a lender’s withdrawal', log('credit', 'Withdraw', { caller: WALLET, receiver: WALLET, owner: WALLET, assets: '5', shares: '4' }), []],
  [
    'a loan of the wallet',
    log('credit', 'LoanOriginated', { loanId: LOAN, borrower: WALLET, amount: '5', pledgedShares: '4' }),
    [{ ...PLACE, kind: 'loan_originated', loanId: LOAN }],
  ],
  ['a loan of another', log('credit', 'LoanOriginated', { loanId: LOAN, borrower: OTHER, amount: '5', pledgedShares: '4' }), []],
  ['the end of a loan', log('credit', 'LoanClosed', { loanId: LOAN }), [{ ...PLACE, kind: 'loan_closed', loanId: LOAN }]],
  ['a log of another contract', log('accounts', 'Deposit', { owner: WALLET, assets: '5' }), []],
])('the vesting of a wallet reads %s', (_name, record, events) => {
  expect(poolEventsOf(WALLET, [record])).toEqual(events)
})
