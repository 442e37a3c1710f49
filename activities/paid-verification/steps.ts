import { isFinal } from '../../domain/paid-verification/run-states.ts'
import type { ProfileExecution, ProfileResult } from '../../schemas/paid-verification/execution.ts'
import type { VerificationActivities, VerificationProgress } from '../../schemas/paid-verification/process.ts'
import { type CaptureDeps, createCapture } from './capture.ts'
import type { PaymentFactsReader } from './payment-facts.ts'
import { findRun, lockRun, moveRun, type RunRecord } from './records.ts'

/** A run whose worker ended this often gets no verdict and no bill. */
export const MOST_ATTEMPTS = 3
