/** Members of strategies and positions in them. */
export const STRATEGY_MEMBERS = {
  strategies: 'Registered strategies.',
  strategyId: 'Id of the strategy; it never moves to another adapter.',
  adapter: 'Address of the contract that runs the strategy.',
  riskLabel: 'Kind of the risk.',
  async: 'Whether deposits and withdrawals settle later.',
  positions: 'Positions of the wallet.',
  pendingDeposit: 'Assets on their way into the strategy; null where the contracts do not tell them from those of another strategy.',
  pendingWithdraw: 'Shares on their way out of the strategy.',
  yieldPosture: 'Whether the position earns anything now.',
} as const
