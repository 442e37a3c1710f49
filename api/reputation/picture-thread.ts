// Draws one picture in a worker thread: the parent gets the bytes of a PNG. The memory of the drawing goes with the thread.
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'

/** The font that the picture is drawn with: a machine need not have one. */
const FAMILY = 'DejaVu Sans'
const FILES = ['DejaVuSans', 'DejaVuSans-Bold'].map((name) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)))

const picture = new Resvg(String(workerData), {
  font: { fontFiles: FILES, loadSystemFonts: false, defaultFontFamily: FAMILY, sansSerifFamily: FAMILY },
}).render()

parentPort?.postMessage(picture.asPng())
