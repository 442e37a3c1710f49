import { loanRecorder } from '../../activities/credit/chain-recorder.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = { recorder: loanRecorder } satisfies WorkerSubject
