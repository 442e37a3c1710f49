import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const eventStream = subject({ name: 'event-stream', buildsOn: ['identity'], operations: () => import('./operations.ts'), settings })
