// A small slow model of the two pools. Every total is summed anew from lists, and a call answers the name of its refusal.
export type Holder = string
/** Name of an error; null when the call passes. */
export type Refusal = string | null

const DAY = 86_400
const sum = (values: Iterable<bigint>): bigint => [...values].reduce((total, value) => total + value, 0n)
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Tokens of everybody. */
export class Tokens {
  readonly #of = new Map<Holder, bigint>()
  of(holder: Holder): bigint {
    return this.#of.get(holder) ?? 0n
  }
  make(holder: Holder, amount: bigint): void {
    this.#of.set(holder, this.of(holder) + amount)
  }
  move(from: Holder, to: Holder, amount: bigint): void {
    this.make(from, -amount)
    this.make(to, amount)
  }
}

interface Notice {
  readonly owner: Holder
  readonly shares: bigint
  readonly unlockAt: number
  open: boolean
}

abstract class Fund {
  readonly shares = new Map<Holder, bigint>()
  readonly notices: Notice[] = []
  readonly tokens: Tokens
  readonly self: Holder
  readonly cap: bigint
  constructor(tokens: Tokens, self: Holder, cap: bigint) {
    this.tokens = tokens
    this.self = self
    this.cap = cap
  }
  abstract elsewhere(): bigint
  abstract deposit(owner: Holder, assets: bigint): Refusal

  buffer = (): bigint => this.tokens.of(this.self)
  supply = (): bigint => sum(this.shares.values())
  managed = (): bigint => this.buffer() + this.elsewhere()
  of = (holder: Holder): bigint => this.shares.get(holder) ?? 0n
  locked = (holder: Holder): bigint => sum(this.notices.map(({ owner, shares, open }) => (open && owner === holder ? shares : 0n)))
  worth = (shares: bigint): bigint => (this.supply() === 0n ? shares : (shares * this.managed()) / this.supply())
  sharesFor(assets: bigint): bigint {
    if (this.supply() === 0n) return assets
    return this.managed() === 0n ? 0n : (assets * this.supply()) / this.managed()
  }
  isOverCap = (assets: bigint): boolean => this.managed() + assets > this.cap
  isOver = (limit: bigint, holder: Holder, assets: bigint, shares: bigint): boolean =>
    ((this.of(holder) + shares) * (this.managed() + assets)) / (this.supply() + shares) > limit

  issue(owner: Holder, payer: Holder, assets: bigint, shares: bigint): Refusal {
    this.shares.set(owner, this.of(owner) + shares)
    this.tokens.move(payer, this.self, assets)
    return null
  }
  contribute(payer: Holder, assets: bigint): Refusal {
    if (assets === 0n) return 'ZeroAmount'
    if (this.isOverCap(assets)) return 'TotalAssetCapExceeded'
    if (this.sharesFor(assets) === 0n) return 'ZeroShares'
    return this.issue(this.self, payer, assets, this.sharesFor(assets))
  }
  encumbered(owner: Holder, shares: bigint): Refusal {
    return this.of(owner) - this.locked(owner) < shares ? 'InsufficientUnlockedShares' : null
  }
  pay(owner: Holder, receiver: Holder, shares: bigint): Refusal {
    const assets = this.worth(shares)
    if (this.buffer() < assets) return 'InsufficientBuffer'
    this.shares.set(owner, this.of(owner) - shares)
    this.tokens.move(this.self, receiver, assets)
    return null
  }
  redeem(owner: Holder, shares: bigint): Refusal {
    if (shares === 0n) return 'ZeroShares'
    const held = this.encumbered(owner, shares)
    if (held !== null) return held
    return this.worth(shares) === 0n ? 'ZeroAmount' : this.pay(owner, owner, shares)
  }
  notice(owner: Holder, shares: bigint, days: number, now: number): Refusal {
    if (shares === 0n) return 'ZeroShares'
    const held = this.encumbered(owner, shares)
    if (held === null) this.notices.push({ owner, shares, unlockAt: now + days * DAY, open: true })
    return held
  }
  fulfil(index: number, now: number): Refusal {
    const notice = this.notices[index]
    if (!notice) return 'RedeemRequestNotFound'
    if (!notice.open) return 'RedeemRequestAlreadyFulfilled'
    if (now < notice.unlockAt) return 'NoticeNotElapsed'
    if (this.worth(notice.shares) === 0n) return 'ZeroAmount'
    const refusal = this.pay(notice.owner, notice.owner, notice.shares)
    if (refusal === null) notice.open = false
    return refusal
  }
}

interface Pledge {
  readonly loan: string
  readonly owner: Holder
  readonly shares: bigint
  active: boolean
}
interface Deployment {
  readonly principal: bigint
  settled: boolean
  returned: bigint
  lost: bigint
}

export class PoolModel extends Fund {
  readonly pledges: Pledge[] = []
  readonly deployments: Deployment[] = []
  readonly recalls: { readonly deployment: number; readonly assets: bigint; open: boolean }[] = []
  highest = 0n
  active = 0
  deployedAt = Number.NEGATIVE_INFINITY

  outstanding = (one: Deployment): bigint => one.principal - one.returned - one.lost
  elsewhere = (): bigint => sum(this.deployments.map(this.outstanding))
  pledged = (holder: Holder): bigint => sum(this.pledges.map(({ owner, shares, active }) => (active && owner === holder ? shares : 0n)))
  available = (holder: Holder): bigint => this.of(holder) - this.locked(holder) - this.pledged(holder)
  floor = (): bigint => min(this.worth(this.highest), this.managed())

  deposit(owner: Holder, assets: bigint): Refusal {
    if (assets === 0n) return 'ZeroAmount'
    if (this.isOverCap(assets)) return 'TotalAssetCapExceeded'
    const shares = this.sharesFor(assets)
    return shares === 0n ? 'ZeroShares' : this.#enter(owner, assets, shares)
  }
  mint(owner: Holder, shares: bigint): Refusal {
    if (shares === 0n) return 'ZeroShares'
    const supply = this.supply()
    const exact = supply === 0n ? shares : (shares * this.managed()) / supply
    const assets = supply === 0n || exact * supply === shares * this.managed() ? exact : exact + 1n
    if (assets === 0n) return 'ZeroAmount'
    return this.isOverCap(assets) ? 'TotalAssetCapExceeded' : this.#enter(owner, assets, shares)
  }
  #enter(owner: Holder, assets: bigint, shares: bigint): Refusal {
    if (this.isOver(100_000_000n, owner, assets, shares)) return 'AgentAssetCapExceeded'
    this.issue(owner, owner, assets, shares)
    if (this.of(owner) > this.highest) this.highest = this.of(owner)
    return null
  }
  override encumbered(owner: Holder, shares: bigint): Refusal {
    return super.encumbered(owner, shares) ?? (this.available(owner) < shares ? 'SharesPledged' : null)
  }
  pledge(owner: Holder, loan: string, shares: bigint): Refusal {
    if (shares === 0n) return 'ZeroShares'
    if (this.pledges.some((one) => one.loan === loan)) return 'PledgeAlreadyExists'
    if (this.available(owner) < shares) return 'InsufficientUnlockedShares'
    this.pledges.push({ loan, owner, shares, active: true })
    return null
  }
  deploy(venue: Holder, assets: bigint, now: number): Refusal {
    if (assets === 0n) return 'ZeroAmount'
    if (this.active !== 0) return 'VenueDeploymentAlreadyActive'
    if (now < this.deployedAt + DAY) return 'DeploymentEpochNotElapsed'
    if (this.buffer() - this.floor() < assets) return 'BufferFloorBreached'
    this.tokens.move(this.self, venue, assets)
    this.deployments.push({ principal: assets, settled: false, returned: 0n, lost: 0n })
    this.active = this.deployments.length
    this.deployedAt = now
    return null
  }
  settle(venue: Holder, id: number, payout: bigint): Refusal {
    const deployment = this.deployments[id - 1]
    if (!deployment) return 'VenueDeploymentNotFound'
    if (deployment.settled) return 'VenueRequestMismatch'
    deployment.settled = true
    return payout === 0n ? null : this.giveBack(venue, id, payout)
  }
  recall(id: number, assets: bigint): Refusal {
    if (assets === 0n) return 'ZeroAmount'
    if (this.recalls.some(({ open }) => open)) return 'VenueRecallAlreadyActive'
    if (id === 0 || id !== this.active) return 'VenueDeploymentNotFound'
    if (assets > sum(this.deployments.map(({ principal }) => principal))) return 'VenueRecallExceedsManaged'
    this.recalls.push({ deployment: id, assets, open: true })
    return null
  }
  settleRecall(venue: Holder, id: number, payout: bigint): Refusal {
    const recall = this.recalls[id - 1]
    if (!recall) return 'VenueRecallNotFound'
    if (!recall.open) return 'VenueRequestMismatch'
    recall.open = false
    return this.giveBack(venue, recall.deployment, payout)
  }
  /** Tokens of the venue: principal up to what is outstanding, yield above it. */
  giveBack(venue: Holder, id: number, assets: bigint): Refusal {
    const deployment = this.deployments[id - 1]
    if (!deployment) return 'VenueDeploymentNotFound'
    this.tokens.move(venue, this.self, assets)
    deployment.returned += min(assets, this.outstanding(deployment))
    return this.#close(id, deployment)
  }
  writeOff(id: number, assets: bigint): Refusal {
    const deployment = this.deployments[id - 1]
    if (assets === 0n) return 'ZeroAmount'
    if (!deployment) return 'VenueDeploymentNotFound'
    if (assets > this.outstanding(deployment)) return 'VenueLossExceedsOutstanding'
    deployment.lost += assets
    return this.#close(id, deployment)
  }
  #close(id: number, deployment: Deployment): Refusal {
    if (this.active === id && this.outstanding(deployment) === 0n && !this.recalls.some(({ open }) => open)) this.active = 0
    return null
  }
}

interface Loan {
  readonly id: string
  readonly borrower: Holder
  readonly pledged: bigint
  principal: bigint
  interest: bigint
  status: 'active' | 'repaid' | 'seized'
}

export class CreditModel extends Fund {
  readonly loans: Loan[] = []
  readonly pool: PoolModel
  ltvBps = 8_000n
  interestBps = 0n
  constructor(tokens: Tokens, self: Holder, pool: PoolModel) {
    super(tokens, self, 250_000_000n)
    this.pool = pool
  }
  open = (): Loan[] => this.loans.filter(({ status }) => status === 'active')
  elsewhere = (): bigint => sum(this.open().map(({ principal }) => principal))
  debt = (holder: Holder): bigint =>
    sum(this.open().map(({ borrower, principal, interest }) => (borrower === holder ? principal + interest : 0n)))
  /** Key of a wallet's next loan. */
  next = (holder: Holder): string => `${holder}/${this.loans.filter(({ borrower }) => borrower === holder).length}`
  maximum(holder: Holder, vested: bigint): bigint {
    const limit = (min(this.pool.worth(this.pool.pledged(holder)), vested) * this.ltvBps) / 10_000n
    return limit > this.debt(holder) ? limit - this.debt(holder) : 0n
  }

  deposit(owner: Holder, assets: bigint): Refusal {
    if (assets === 0n) return 'ZeroAmount'
    if (this.isOverCap(assets)) return 'TotalAssetCapExceeded'
    const shares = this.sharesFor(assets)
    if (this.isOver(100_000_000n, owner, assets, shares)) return 'LenderAssetCapExceeded'
    return shares === 0n ? 'ZeroShares' : this.issue(owner, owner, assets, shares)
  }
  originate(borrower: Holder, shares: bigint, amount: bigint, vested: bigint): Refusal {
    if (shares === 0n) return 'ZeroShares'
    if (amount === 0n) return 'ZeroAmount'
    const id = this.next(borrower)
    if (!this.pool.pledges.some((one) => one.loan === id && one.active && one.shares === shares)) return 'InvalidPledge'
    if (amount > this.maximum(borrower, vested)) return 'LoanLimitExceeded'
    if (amount > this.buffer()) return 'InsufficientBuffer'
    this.tokens.move(this.self, borrower, amount)
    const interest = (amount * this.interestBps) / 10_000n
    this.loans.push({ id, borrower, pledged: shares, principal: amount, interest, status: 'active' })
    return null
  }
  repay(payer: Holder, loan: Loan | undefined, amount: bigint): Refusal {
    if (loan?.status !== 'active') return 'LoanNotActive'
    if (amount === 0n) return 'ZeroAmount'
    if (amount > loan.principal + loan.interest) return 'RepaymentExceedsOutstanding'
    this.tokens.move(payer, this.self, amount)
    const interest = min(amount, loan.interest)
    loan.interest -= interest
    loan.principal -= amount - interest
    return loan.principal + loan.interest === 0n ? this.#end(loan, 'repaid') : null
  }
  isImpaired = (loan: Loan): boolean => this.pool.worth(loan.pledged) < ((loan.principal + loan.interest) * 105n) / 100n
  seize(loan: Loan | undefined): Refusal {
    if (loan?.status !== 'active') return 'LoanNotActive'
    if (!this.isImpaired(loan)) return 'CollateralNotImpaired'
    const refusal = this.pool.pay(loan.borrower, this.self, loan.pledged)
    return refusal ?? this.#end(loan, 'seized')
  }
  #end(loan: Loan, status: 'repaid' | 'seized'): Refusal {
    loan.status = status
    const pledge = this.pool.pledges.find((one) => one.loan === loan.id)
    if (pledge) pledge.active = false
    return null
  }
}
