import type { DestinationStream, Logger } from 'pino'
import { createServiceLogger } from '../../activities/observability/logger.ts'

/** Structured log of the API. */
export const createLogger = (level: string, destination?: DestinationStream): Logger => createServiceLogger('api', level, destination)
