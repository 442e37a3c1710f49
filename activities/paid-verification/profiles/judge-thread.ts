// Judges one structured output in a thread, so that the parent can end a judgement that patterns of strangers keep busy.
import { parentPort, workerData } from 'node:worker_threads'
import { judgeStructuredOutput } from '../../../domain/paid-verification/structured-output/judge.ts'

parentPort?.postMessage(judgeStructuredOutput(workerData))
