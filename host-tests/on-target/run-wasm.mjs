// Runs a program that was built for `wasm32v1-none`, prints what it writes, and exits with its verdict.

import { readFileSync } from "node:fs";

const [file] = process.argv.slice(2);
const decoder = new TextDecoder();
let text = "";

const { instance } = await WebAssembly.instantiate(readFileSync(file), {
  console: {
    write(address, length) {
      text += decoder.decode(new Uint8Array(instance.exports.memory.buffer, address, length), { stream: true });
    },
  },
});
const succeeded = instance.exports.run();
process.stdout.write(text);
process.exitCode = succeeded ? 0 : 1;
