// The shapes of what the page keeps and of what it asks. Everything here is for the type checker and the reader.

/** The version of states in links, files and the browser's memory. */
export const STATE_VERSION = 1;
/** The version of the protocol that the page speaks. */
export const PROTOCOL_VERSION = 1;

// ---- the state of the page

/**
 * @typedef {{ name: string, text: string }} Model
 * A ready system or a model of the user's own; `text` is always the whole model file.
 *
 * @typedef {"gallery"|"build"|"equations"|"motion"|"compare"|"questions"} ViewName
 *
 * @typedef {object} State
 * Frozen. `app.change(patch)` merges: `model`, `show`, `ask` and `compare` key by key, all others are replaced.
 * @property {Model} model
 * @property {Record<string, string>} set values as with --set
 * @property {Record<string, OptionValue>} run options of runs
 * @property {ViewName} view
 * @property {string[]} plots names of columns
 * @property {{ trails: boolean, forces: boolean, gaps: boolean, names: boolean, centres: boolean, loop: boolean }} show
 * @property {number | null} speed null: what the film suggests
 * @property {number} time of the cursor, s
 * @property {{ question: string, options: Record<string, OptionValue> }} ask
 * @property {{ formulations: string[], integrators: string[], tolerances: string }} compare
 * @property {"auto"|"light"|"dark"} theme
 *
 * @typedef {{ [K in keyof State]?: K extends "model"|"show"|"ask"|"compare" ? Partial<State[K]> : State[K] }} Patch
 *
 * @typedef {string | number | boolean | string[]} OptionValue
 */

// ---- the application, as views see it

/**
 * @typedef {object} App
 * @property {Readonly<State>} state
 * @property {(patch: Patch, label?: string) => void} change with a label it is one step of undo; changes with the same
 *   label and keys within a second are one step; what was changed without a label before belongs to the step that follows
 * @property {(listener: (state: Readonly<State>, before: Readonly<State>) => void) => (() => void)} subscribe
 * @property {Core} core
 * @property {Catalogue} catalogue
 * @property {Checked | null} checked
 * @property {(listener: (checked: Checked) => void) => (() => void)} onChecked
 * @property {() => void} check asks about the model at once, where nothing more is to come
 * @property {() => { model: Model, set: Record<string, string> }} request
 * @property {(text: string) => void} say for screen readers
 * @property {(error: Failure) => void} fail
 * @property {(label: string, watch?: { abort(): void }) => Busy} busy an AbortController fits as watch
 * @property {() => boolean} mayRun false while the model came by a link and nobody has pressed run
 * @property {() => void} trust the user has pressed run
 * @property {(listener: () => void) => (() => void)} onTrusted
 * @property {() => void} run as Ctrl+Enter: runs what the view shows, else the motion
 * @property {() => Request} viewRequest what Save writes of: the view's own request, else the run of the state
 * @property {(view: ViewName) => void} go shows a view and puts the focus there
 * @property {(from: number, to: number) => void} reveal a piece of the model's text, in the build view
 * @property {(model: Model, label: string, more?: Patch) => void} open another model instead of this one, with fresh settings
 * @property {(state: Omit<State, "theme">, label: string, isTrusted: boolean) => void} restore a whole view
 *
 * @typedef {{ progress(part: number): void, done(): void }} Busy
 *
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {() => void} show it is visible now
 * @property {() => void} hide it is visible no longer
 * @property {() => void} [run] Ctrl+Enter
 * @property {(event: KeyboardEvent) => boolean} [key] a key that no control took; true if it meant something
 * @property {(from: number, to: number) => void} [reveal] a piece of the model's text
 * @property {() => Request | null} [request] what Save writes data and pictures of; the run of the state where a view has none
 *
 * @typedef {{ request: Request, reply: ModelReply }} Checked
 */

// ---- requests and replies

/**
 * @typedef {Record<string, any> & { do: string }} Request
 *
 * @typedef {object} Watch
 * @property {(part: number) => void} [progress] 0…1
 * @property {(position: number) => void} [queued]
 * @property {(event: any) => void} [part] what is known so far
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} Core
 * @property {(request: Request, watch?: Watch) => Promise<any>} ask rejects with AbortError only; what went wrong is a reply
 *   with `error`
 *
 * @typedef {object} Failure
 * @property {"request"|"model"|"refused"|"limit"|"busy"|"cancelled"|"failed"} [kind]
 * @property {string} message
 * @property {string} [help]
 * @property {Problem[]} [problems]
 *
 * @typedef {{ source: string, from: number, to: number, line: number, column: number }} Place
 * `from` and `to` are UTF-16 offsets into the text.
 *
 * @typedef {{ message: string, help?: string | null, place?: Place | null }} Problem
 *
 * @typedef {object} Row an option
 * @property {string} key
 * @property {string} flag
 * @property {string} valueName
 * @property {string} unit
 * @property {"positive"|"not-negative"|"number"|"count"|"numbers"|"word"|"words"|"repeated"|"choice"|"switch"} kind
 * @property {number} [least]
 * @property {string[]} [choices]
 * @property {string} default
 * @property {string} help
 *
 * @typedef {{ name: string, title: string, description: string, text: string }} ReadySystem
 *
 * @typedef {{ name: string, summary: string, reference: string, options: Row[], order?: number }} Method
 *
 * @typedef {object} QuestionRow
 * @property {string} name
 * @property {string} summary
 * @property {any} needs
 * @property {Row[]} options
 * @property {Row[]} runOptions
 * @property {Record<string, string>} defaults
 * @property {string} example
 * @property {string} defaultModel
 * @property {boolean} moves
 * @property {boolean} parallel
 *
 * @typedef {object} Catalogue
 * @property {string} version
 * @property {number} protocol
 * @property {ReadySystem[]} systems
 * @property {string} starter
 * @property {Method[]} formulations
 * @property {Method[]} integrators
 * @property {Row[]} runOptions
 * @property {Row[]} plotOptions
 * @property {QuestionRow[]} questions
 * @property {{ heading: string, keys: any[] }[]} sections
 * @property {string[]} functions
 * @property {string[]} units
 * @property {any[]} tableFormats
 * @property {any[]} pictureFormats
 * @property {any[]} animationFormats
 * @property {any[]} languages
 *
 * @typedef {object} ModelReply
 * @property {Problem[]} problems
 * @property {Problem[]} warnings
 * @property {any[]} outline
 * @property {About} [about]
 * @property {any} [diagnosis]
 * @property {FilmSet | null} [film] one frame: the start
 * @property {string | null} [open] a sentence where the start could not be assembled; the film then shows the nearest pose
 * @property {{ formulation: string, integrator: string, why: string }} [methods]
 *
 * @typedef {object} About
 * @property {string} title
 * @property {string} description
 * @property {{ name: string, value: number, formula: string, used: boolean }[]} parameters
 * @property {{ name: string, text: string, angle: boolean, value: number, rate: number, unit: string }[]} coordinates
 * @property {any[]} states
 * @property {any[]} definitions
 * @property {any[]} constraints
 * @property {any[]} outputs
 * @property {any[]} events
 * @property {{ name: string, unit: string }[]} columns
 * @property {boolean} mechanism
 *
 * @typedef {{ title: string, steps: DeriveStep[], check: any, latex: string }} DeriveReply
 * @typedef {{ number: number, title: string, explanation: string, statements: Statement[] }} DeriveStep
 * @typedef {{ intro: string, text: string, latex: string, mathml: string }} Statement
 *
 * @typedef {string} Floats base64 of little-endian floats; NaN means: not known there
 *
 * @typedef {{ columns: { name: string, unit: string, values: Floats }[], events: any, certificate: any, film?: FilmSet }} RunPart
 * @typedef {{ certificate: any, words: Line[] }} RunReply
 *
 * @typedef {Record<string, any> & { kind: "text"|"heading"|"failure"|"fact"|"table" }} Line
 *
 * @typedef {object} AskReply
 * @property {any} answer
 * @property {Line[]} words
 * @property {Figure} figure
 * @property {{ columns: { name: string, unit: string, values?: Floats, texts?: string[] }[] }} table
 * @property {{ text: string }} [file]
 * @property {FilmSet} [film]
 * @property {any} [shortfall]
 *
 * @typedef {{ tracks: number[], at: [number, number] }} Grab
 * @typedef {object} PoseReply
 * @property {number[]} q
 * @property {Floats} tracks
 * @property {[number, number]} reached
 * @property {{ kind: "dead-point"|"limit", message: string } | null} [held]
 * @property {string | null} [note] what else there is to say about the pose
 * @property {{ set: Record<string, string> }} start
 *
 * @typedef {{ name: string, type: string, text?: string, base64?: string }} FileReply
 *
 * @typedef {object} FilmSet
 * @property {Floats} times
 * @property {number} speed
 * @property {number} decimals
 * @property {number} tail
 * @property {number} duration
 * @property {[string, string] | null} clock
 * @property {Film[]} films
 *
 * @typedef {Record<string, any> & { svg: string, label: string, verdict?: [string, string] | null, frames: number }} Film
 * @typedef {Record<string, any>} Figure
 */
