// The market of posted jobs, as slowly and plainly as it can be written: what the contract, the records and the catalogue should show.

/** Who plays. The stranger has no draft. */
export const PEOPLE = ['alice', 'bob', 'worker1', 'worker2', 'worker3', 'stranger'] as const
export type Person = (typeof PEOPLE)[number]

export interface Terms {
  poster: Person
  rewardRaw: bigint
  opsReserveRaw: bigint
  /** Seconds. */
  ttl: number
}

type ChainState = 'none' | 'open' | 'claimed' | 'submitted' | 'rejected' | 'closed' | 'cancelled'
/** Works that a worker may submit: two that were handed in before, and one that was not. */
export type Work = 'good' | 'poor' | 'unknown'

export interface ModelSession {
  wallet: Person
  status: 'claimed' | 'submitted' | 'expired' | 'rejected' | 'resolved' | 'chain_state_diverged'
  isAdmitted: boolean
  claim: number
  /** When its claim runs out, seconds. */
  expiry: number
  /** The work that was recorded; a fork may take it from the chain. */
  work: Work | null
}

export interface ModelJob {
  draft: Terms & { expiresAt: number }
  state: ChainState
  /** Terms in the escrow. */
  funded: (Terms & { at: number }) | null
  worker: Person | null
  expiry: number
  work: Work | null
  /** Number of the claim, so that each has one session. */
  claim: number
}

export type Move =
  | { kind: 'fund'; who: Person; job: number; rewardRaw: bigint }
  | { kind: 'cancel'; who: Person; job: number }
  | { kind: 'claim'; who: Person; job: number }
  | { kind: 'submit'; who: Person; job: number; work: Work }
  | { kind: 'timeOut'; who: Person; job: number }

const FLOOR_SECONDS = 3_600
/** Largest reward of a posted job for a wallet without a deposit. */
const CEILING = 1_000_000n

const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right)
const feeOf = (rewardRaw: bigint): bigint => larger((rewardRaw * 500n) / 10_000n, 50_000n)
const bondOf = (rewardRaw: bigint) => ({ stake: rewardRaw / 10n, fee: larger((rewardRaw * 200n) / 10_000n, 50_000n) })

type Balances = Record<Person, bigint>

/** Everything that the chain and the service should show. `before` is copied for each move, so that a fork is a return to an earlier copy. */
export class Market {
  jobs: ModelJob[]
  /** What each person has, in the account or outside, without what is held. */
  holdings: Balances
  sessions: ModelSession[][]
  #claims = 0

  constructor(drafts: (Terms & { expiresAt: number })[], holdings: Balances) {
    this.jobs = drafts.map((draft) => ({ draft, state: 'none', funded: null, worker: null, expiry: 0, work: null, claim: 0 }))
    this.holdings = { ...holdings }
    this.sessions = drafts.map(() => [])
  }

  /** What of the market a fork takes back: the chain, not the records. */
  copyChain(): { jobs: ModelJob[]; holdings: Balances } {
    return structuredClone({ jobs: this.jobs, holdings: this.holdings })
  }

  returnTo(chain: { jobs: ModelJob[]; holdings: Balances }): void {
    this.jobs = structuredClone(chain.jobs)
    this.holdings = { ...chain.holdings }
  }

  #job(index: number): ModelJob {
    const job = this.jobs[index]
    if (job === undefined) throw new Error(`no job ${index}`)
    return job
  }

  #pay(who: Person, raw: bigint): void {
    this.holdings[who] += raw
  }

  /** Whether the contract takes a move at a time (seconds); if so it is made. */
  apply(move: Move, at: number): boolean {
    const job = this.#job(move.job)
    const { funded } = job
    switch (move.kind) {
      case 'fund': {
        const { opsReserveRaw, ttl } = job.draft
        const total = move.rewardRaw + opsReserveRaw + feeOf(move.rewardRaw)
        if (job.state !== 'none' || this.holdings[move.who] < total) return false
        this.#pay(move.who, -total)
        Object.assign(job, { state: 'open', funded: { poster: move.who, rewardRaw: move.rewardRaw, opsReserveRaw, ttl, at } })
        return true
      }
      case 'cancel': {
        if (job.state !== 'open' || funded === null || funded.poster !== move.who || at < funded.at + FLOOR_SECONDS) return false
        this.#pay(move.who, funded.rewardRaw + funded.opsReserveRaw + feeOf(funded.rewardRaw))
        job.state = 'cancelled'
        return true
      }
      case 'claim': {
        if (job.state !== 'open' || funded === null) return false
        const { stake, fee } = bondOf(funded.rewardRaw)
        if (this.holdings[move.who] < stake + fee) return false
        this.#pay(move.who, -(stake + fee))
        this.#claims += 1
        Object.assign(job, { state: 'claimed', worker: move.who, expiry: at + funded.ttl, claim: this.#claims })
        return true
      }
      case 'submit':
        if (job.state !== 'claimed' || job.worker !== move.who || at > job.expiry) return false
        Object.assign(job, { state: 'submitted', work: move.work })
        return true
      case 'timeOut':
        return this.#timeOut(job, at)
    }
  }

  #timeOut(job: ModelJob, at: number): boolean {
    if (job.state !== 'claimed' || at <= job.expiry || job.funded === null) return false
    const { stake } = bondOf(job.funded.rewardRaw)
    this.#pay(job.funded.poster, stake / 2n)
    Object.assign(job, { state: 'open', worker: null, expiry: 0, work: null })
    return true
  }

  /** What the service does about a claim of a job that it does not list: it times the claim out, and rejects what is submitted. */
  #free(job: ModelJob, now: number): boolean {
    if (job.funded?.poster !== job.draft.poster) return false
    if (job.state === 'claimed') return now > job.expiry && this.#timeOut(job, now)
    if (job.state !== 'submitted') return false
    job.state = 'rejected'
    return true
  }

  /** Whether the service lists a job, by its funding alone. */
  isListable({ draft, funded }: ModelJob): boolean {
    return funded !== null && funded.poster === draft.poster && funded.rewardRaw === draft.rewardRaw && funded.at <= draft.expiresAt
  }

  /** What the service does by itself once it has seen the chain at a time (seconds). Answers the jobs for which it sends a transaction. */
  settle(now: number): number[] {
    return this.jobs.flatMap((job, index) => {
      const sessions = this.sessions[index] ?? []
      const live = sessions.find(({ status }) => status === 'claimed')
      const isHeld = job.state === 'claimed' || job.state === 'submitted'
      if (live !== undefined && (!isHeld || job.claim !== live.claim)) live.status = 'expired'
      if (!this.isListable(job)) return this.#free(job, now) ? [index] : []
      // A session whose submission a fork removed ends first.
      const isBusy = sessions.some(({ claim, status }) => claim === job.claim || status === 'submitted')
      if (isHeld && job.worker !== null && !isBusy) {
        const isAdmitted = job.worker !== job.draft.poster && job.draft.rewardRaw <= CEILING
        sessions.push({ wallet: job.worker, status: 'claimed', isAdmitted, claim: job.claim, expiry: job.expiry, work: null })
      }
      const open = sessions.find(({ status, claim }) => status === 'claimed' && claim === job.claim)
      if (open === undefined) return []
      const isOver = now > job.expiry
      if (job.state === 'submitted' && (!open.isAdmitted || job.work !== 'unknown' || isOver))
        Object.assign(open, { status: 'submitted', work: job.work })
      if (job.state !== 'claimed' || !isOver) return []
      open.status = 'expired'
      this.#timeOut(job, now)
      return [index]
    })
  }

  /** What became of a session with a submission, by its verdict at a time (seconds); null where there is none to give. */
  judge(index: number, now: number): 'approved' | 'rejected' | 'lost' | null {
    const job = this.#job(index)
    const session = (this.sessions[index] ?? []).find(({ status }) => status === 'submitted')
    if (session === undefined || job.funded === null) return null
    if (job.state !== 'submitted' || job.claim !== session.claim) {
      // A fork took the submission: until the claim is over it may be mined again.
      if (now <= session.expiry) return null
      session.status = 'chain_state_diverged'
      return 'lost'
    }
    const isApproved = session.isAdmitted && job.work === 'good' && session.work === 'good'
    session.status = isApproved ? 'resolved' : 'rejected'
    job.state = isApproved ? 'closed' : 'rejected'
    if (!isApproved) return 'rejected'
    const { stake, fee } = bondOf(job.funded.rewardRaw)
    this.#pay(session.wallet, job.funded.rewardRaw + stake + fee)
    this.#pay(job.funded.poster, job.funded.opsReserveRaw)
    return 'approved'
  }

  /** What the record of a posting should say at a time (seconds). */
  statusOf(index: number, now: number): string {
    const job = this.#job(index)
    const { draft, funded, state } = job
    if (funded === null || state === 'none') return now * 1_000 >= draft.expiresAt * 1_000 ? 'expired' : 'awaiting_funding'
    if (funded.poster !== draft.poster || funded.rewardRaw !== draft.rewardRaw) return 'mismatch'
    if (funded.at > draft.expiresAt) return 'expired'
    if (state === 'cancelled') return 'cancelled'
    return state === 'closed' ? 'settled' : 'live'
  }

  /** Whether the catalogue should show the job as listed. */
  isListed(index: number, now: number): boolean {
    return ['live', 'settled'].includes(this.statusOf(index, now))
  }
}
