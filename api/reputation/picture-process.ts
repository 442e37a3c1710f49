// Draws one picture in a process of its own: SVG in by standard input, PNG out by standard output.
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Resvg } from '@resvg/resvg-js'

/** The font that the picture is drawn with: a machine need not have one. */
const FAMILY = 'DejaVu Sans'
const FILES = ['DejaVuSans', 'DejaVuSans-Bold'].map((name) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)))

const picture = new Resvg(await text(process.stdin), {
  font: { fontFiles: FILES, loadSystemFonts: false, defaultFontFamily: FAMILY, sansSerifFamily: FAMILY },
}).render()

process.stdout.write(picture.asPng())
