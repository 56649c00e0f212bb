//! WAV files with whole-number samples.

/// Sound as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PcmSound {
    pub(super) sample_rate_hz: u32,
    pub(super) n_bits: u16,
    /// Samples by channel; all of one length.
    pub(super) channels: Vec<Vec<i32>>,
}

/// The marks of whole-number samples, plain and in the extensible form.
const PCM: u16 = 1;
const EXTENSIBLE: u16 = 0xfffe;

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

impl PcmSound {
    /// Reads a file, or tells what is wrong with it.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.get(..4) != Some(b"RIFF") || bytes.get(8..12) != Some(b"WAVE") {
            return Err("it is no WAV file".to_owned());
        }
        let (mut format, mut sound, mut at) = (None, None, 12);
        while let (Some(name), Some(size)) = (bytes.get(at..at + 4), u32_at(bytes, at + 4)) {
            let from = at + 8;
            let chunk = &bytes[from.min(bytes.len())..(from + size as usize).min(bytes.len())];
            match name {
                b"fmt " if format.is_some() => return Err("it tells its format more than once".to_owned()),
                b"fmt " => format = Some(chunk),
                b"data" if chunk.len() < size as usize => return Err("its data are cut short".to_owned()),
                b"data" if sound.is_some() => return Err("it has more than one data chunk".to_owned()),
                b"data" => sound = Some(Self::of_chunks(format.ok_or("its data come before their format")?, chunk)?),
                _ => {}
            }
            at = from + size as usize + size as usize % 2;
        }
        sound.ok_or_else(|| "it has no data".to_owned())
    }

    fn of_chunks(format: &[u8], data: &[u8]) -> Result<Self, String> {
        let number = |at: usize| u16_at(format, at).ok_or("its format is cut short");
        let is_extensible = number(0)? == EXTENSIBLE;
        let kind = if is_extensible { number(24)? } else { number(0)? };
        let (n_channels, n_bits) = (usize::from(number(2)?), number(14)?);
        if kind != PCM || ![16, 24, 32].contains(&n_bits) || !(1..=16).contains(&n_channels) {
            return Err(format!("format {kind} with {n_bits} bits and {n_channels} channels is not read"));
        }
        let sample_rate_hz = u32_at(format, 4).ok_or("its format is cut short")?;
        let n_bytes = usize::from(n_bits / 8);
        // Other programs go by these where they differ from what the samples are.
        let (frame_bytes, n_valid) = (usize::from(number(12)?), if is_extensible { number(18)? } else { n_bits });
        if frame_bytes != n_bytes * n_channels || ![0, n_bits].contains(&n_valid) {
            return Err(format!(
                "its format contradicts itself: {n_bits} bits, of which {n_valid} count, {n_channels} channels, {frame_bytes} bytes a frame"
            ));
        }
        if !data.len().is_multiple_of(n_bytes * n_channels) {
            return Err("its data are no whole number of frames".to_owned());
        }
        let mut channels = vec![Vec::with_capacity(data.len() / n_bytes / n_channels); n_channels];
        for frame in data.chunks_exact(n_bytes * n_channels) {
            for (channel, sample) in channels.iter_mut().zip(frame.chunks_exact(n_bytes)) {
                let mut whole = [0; 4];
                whole[4 - n_bytes..].copy_from_slice(sample);
                channel.push(i32::from_le_bytes(whole) >> (32 - n_bits));
            }
        }
        Ok(Self { sample_rate_hz, n_bits, channels })
    }

    /// As a plain file.
    pub(super) fn written(&self) -> Vec<u8> {
        let n_channels = self.channels.len() as u16;
        let n_frames = self.channels.first().map_or(0, Vec::len);
        let n_bytes = usize::from(self.n_bits / 8);
        let frame_bytes = n_channels * self.n_bits / 8;
        let data_bytes = (n_frames * usize::from(frame_bytes)) as u32;
        let mut out = Vec::with_capacity(44 + data_bytes as usize);
        out.extend(b"RIFF");
        out.extend((36 + data_bytes).to_le_bytes());
        out.extend(b"WAVEfmt \x10\0\0\0\x01\0");
        out.extend(n_channels.to_le_bytes());
        out.extend(self.sample_rate_hz.to_le_bytes());
        out.extend((self.sample_rate_hz * u32::from(frame_bytes)).to_le_bytes());
        out.extend(frame_bytes.to_le_bytes());
        out.extend(self.n_bits.to_le_bytes());
        out.extend(b"data");
        out.extend(data_bytes.to_le_bytes());
        for frame in 0..n_frames {
            for channel in &self.channels {
                out.extend_from_slice(&channel[frame].to_le_bytes()[..n_bytes]);
            }
        }
        out
    }

    /// Samples as parts of full scale.
    pub(super) fn scaled(&self) -> Vec<Vec<f64>> {
        let full = (1_i64 << (self.n_bits - 1)) as f64;
        let one = |channel: &Vec<i32>| channel.iter().map(|sample| f64::from(*sample) / full).collect();
        self.channels.iter().map(one).collect()
    }

    /// Parts of full scale as samples of 24 bits; what is beyond is cut off.
    pub(super) fn of_scaled(channels: &[Vec<f64>]) -> Self {
        let full = f64::from(1 << 23);
        let sample = |value: &f64| (value * full).round().clamp(-full, full - 1.0) as i32;
        let channels = channels.iter().map(|channel| channel.iter().map(sample).collect()).collect();
        Self { sample_rate_hz: 48_000, n_bits: 24, channels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_as_they_were_written() {
        let sound = PcmSound {
            sample_rate_hz: 48_000,
            n_bits: 24,
            channels: vec![vec![0, -1, 8_388_607], vec![5, -8_388_608, 7]],
        };
        assert_eq!(PcmSound::read(&sound.written()), Ok(sound.clone()));
        let back = PcmSound::of_scaled(&sound.scaled());
        assert_eq!(back, sound);
    }

    #[test]
    fn what_is_no_sound_is_told() {
        let bytes = PcmSound { sample_rate_hz: 8000, n_bits: 16, channels: vec![vec![1, 2, 3]] }.written();
        for length in 0..bytes.len() {
            assert!(PcmSound::read(&bytes[..length]).is_err(), "{length}");
        }
        let mut floats = bytes.clone();
        floats[20] = 3;
        assert!(PcmSound::read(&floats).unwrap_err().contains("format 3"));
        let twice = [&bytes[..], &bytes[36..]].concat();
        assert!(PcmSound::read(&twice).unwrap_err().contains("more than one"));
        let formats = [&bytes[..36], &bytes[12..]].concat();
        assert!(PcmSound::read(&formats).unwrap_err().contains("its format more than once"));
        let mut wide = bytes.clone();
        wide[32] = 4;
        assert!(PcmSound::read(&wide).unwrap_err().contains("4 bytes a frame"));
        let mut none = bytes;
        none[22] = 0;
        assert!(PcmSound::read(&none).unwrap_err().contains("0 channels"));
    }
}
