"""ffmpeg_filters.py: an OpenCL filter of ffmpeg (package ffmpeg) against its CPU filter of the same name.

usage: ffmpeg_filters.py NAME FOLDER      the folder is for its files; NAME list: the names
In: short clips that ffmpeg makes. Out: how far the two results are apart; the exit code is 1 if that is further than it may
be. Both round in their own ways, and treat edges of the picture differently, which don't count. Of nlmeans and unsharp the
two compute different things, so that only PoCL's result, where it is installed, is a close reference."""
import os
import subprocess
import sys

import numpy

WIDTH, HEIGHT, FRAMES, EDGE = 176, 144, 4, 12
KERNEL = "1 2 1 2 4 2 1 2 1"
POCL = "/etc/OpenCL/vendors/pocl.icd"

# by name: arguments (they are the same for both), format, how far apart a byte may be, and how many may be further, of 1000
FILTERS = {
    "avgblur": ("sizeX=3", "yuv420p", 1, 0),
    "boxblur": ("lr=3:lp=2", "yuv420p", 1, 0),
    "colorkey": ("color=red:similarity=0.3:blend=0.1", "rgba", 2, 10),
    "convolution": (f"0m='{KERNEL}':0rdiv=0.0625", "yuv420p", 1, 0),
    "dilation": ("coordinates=255", "yuv420p", 0, 0),
    "erosion": ("coordinates=90", "yuv420p", 0, 0),
    "nlmeans": ("s=3:p=3:r=7", "yuv420p", 2, 120),
    "overlay": ("x=10:y=20", "yuv420p", 0, 0),
    "pad": ("w=200:h=160:x=8:y=6:color=black", "yuv420p", 1, 0),
    "prewitt": ("scale=1", "yuv420p", 1, 0),
    "roberts": ("scale=1", "yuv420p", 1, 0),
    "sobel": ("scale=1", "yuv420p", 1, 0),
    "transpose": ("dir=clock", "yuv420p", 0, 0),
    "unsharp": ("lx=5:ly=5:la=1.5", "yuv420p", 2, 150),
    "xfade": ("transition=wipeleft:duration=1", "yuv444p", 0, 0),
}


def ffmpeg(arguments, vendors=None):
    environment = dict(os.environ, OCL_ICD_VENDORS=vendors) if vendors else None
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-nostdin"]
    subprocess.run(command + arguments, check=True, env=environment)


def clip(path, source, pixels):
    ffmpeg(["-f", "lavfi", "-i", f"{source}=size={WIDTH}x{HEIGHT}:rate={FRAMES}", "-frames:v", str(FRAMES), "-vf",
            f"noise=alls=12:all_seed=5,format={pixels}", "-f", "rawvideo", path])
    return path


def run(folder, clips, graph, pixels, is_opencl, vendors=None):
    """Frames by rows of bytes, a plane after the other."""
    inputs = []
    for path in clips:
        inputs += ["-f", "rawvideo", "-pixel_format", pixels, "-video_size", f"{WIDTH}x{HEIGHT}", "-framerate",
                   str(FRAMES), "-i", path]
    device = ["-init_hw_device", "opencl=cl:0.0", "-filter_hw_device", "cl"] if is_opencl else []
    names = "".join(f"[i{n}]" for n in range(len(clips)))
    first = "".join(f"[{n}:v]{'hwupload' if is_opencl else 'null'}[i{n}];" for n in range(len(clips)))
    last = f"{',hwdownload' if is_opencl else ''},format={pixels}"
    path = f"{folder}/out.raw"
    ffmpeg(device + inputs + ["-filter_complex", first + names + graph + last, "-frames:v", str(FRAMES), "-f", "rawvideo",
                              path], vendors)
    return numpy.fromfile(path, numpy.uint8).astype(int)


def inner(video, width, height, pixels):
    """Without the edges of each plane."""
    planes = {"rgba": [(width * 4, height)], "yuv444p": 3 * [(width, height)],
              "yuv420p": [(width, height)] + 2 * [(width // 2, height // 2)]}[pixels]
    bytes_of_frame = sum(w * h for w, h in planes)
    assert len(video) == FRAMES * bytes_of_frame, (len(video), bytes_of_frame)
    for frame in video.reshape(FRAMES, bytes_of_frame):
        for w, h in planes:
            yield frame[: w * h].reshape(h, w)[EDGE:-EDGE, EDGE:-EDGE]
            frame = frame[w * h:]


def difference(name, got, want, most, share):
    apart = numpy.concatenate([abs(a - b).ravel() for a, b in zip(got, want)])
    more = 1000 * (apart > most).mean()
    print(f"{name}: {apart.size} bytes, mean {apart.mean():.4f}, most {apart.max()}, {more:.2f} of 1000 are more than {most} apart")
    return more > share


def main(name, folder=""):
    if name == "list":
        print("\n".join(FILTERS))
        return 0
    arguments, pixels, most, share = FILTERS[name]
    clips = [clip(f"{folder}/a.raw", "testsrc2", pixels)]
    if name in ("overlay", "xfade"):
        clips.append(clip(f"{folder}/b.raw", "mandelbrot", pixels))
    width, height = {"transpose": (HEIGHT, WIDTH), "pad": (200, 160)}.get(name, (WIDTH, HEIGHT))
    opencl = f"{name}_opencl={arguments}"
    got = list(inner(run(folder, clips, opencl, pixels, True), width, height, pixels))
    want = list(inner(run(folder, clips, f"{name}={arguments}", pixels, False), width, height, pixels))
    before = list(inner(run(folder, clips[:1], "null", pixels, False), WIDTH, HEIGHT, pixels))
    bad = difference(name, got, want, most, share)
    if name in ("nlmeans", "unsharp") and os.path.exists(POCL):
        want = list(inner(run(folder, clips, opencl, pixels, True, POCL), width, height, pixels))
        bad |= difference(name + ", PoCL", got, want, 1, 0)
    if got[0].shape == before[0].shape and all(numpy.array_equal(a, b) for a, b in zip(got, before)):
        print("the filter has changed nothing")
        bad = True
    return int(bad)


sys.exit(main(*sys.argv[1:]))
