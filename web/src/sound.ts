// The click of a stone, made here: no file has to be fetched.

let audio: AudioContext | null = null;

export function click(): void {
  audio ??= new AudioContext();
  const length = 0.06;
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) {
    const fading = Math.exp((-90 * i) / audio.sampleRate);
    samples[i] = fading * (Math.random() * 0.5 - 0.25 + 0.5 * Math.sin((2 * Math.PI * 900 * i) / audio.sampleRate));
  }
  const source = audio.createBufferSource();
  source.buffer = buffer;
  source.connect(audio.destination);
  source.start();
}
