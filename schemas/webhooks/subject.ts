import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import { settings } from './settings.ts'

export const webhooks = subject({ name: 'webhooks', buildsOn: ['event-stream', 'outbound'], entities, operations, settings })
