// The blocked Gibbs sampler of the model mixed as a textbook would write it, for the bench to compare with: record by
// record, the classes of a record inside, an array of structs, log densities, and the distributions of the standard
// library. The model, the order of its steps and the label moves are those of bench/plain/mixed-reference.ts.
//
// Standard input: records, discrete parts, continuous variables, classes, iterations, repeats, seed; kappa0, a0, b0; the
// number of categories of each part; the smallest standard deviation of each variable; then for each record its codes (-1:
// missing) and its values (nan: none). Standard output: milliseconds of CPU an iteration, the median over the repeats, then
// the means of alpha and of the occupied classes over all their iterations, to see that it is the same sampler.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

using Vector = std::vector<double>;

struct Record {
  std::vector<int> codes;  // -1 where a value is missing
  Vector values;           // NaN where there is none
};

struct Normal {
  double mu;
  double sigma2;
};

struct Class {
  double pi;
  std::vector<Vector> phi;
  std::vector<Normal> normals;
};

double kKappa, kShape, kRate;

class Sampler {
 public:
  Sampler(std::vector<Record> records, std::vector<int> sizes, Vector least, int classes, unsigned long seed)
      : records_(std::move(records)), sizes_(std::move(sizes)), least_(std::move(least)), classes_(classes), random_(seed) {
    std::uniform_int_distribution<int> anyClass(0, classes_ - 1);
    z_.resize(records_.size());
    for (int& z : z_) z = anyClass(random_);
    state_.resize(classes_);
    for (Class& c : state_) {
      for (int size : sizes_) c.phi.emplace_back(size);
      c.normals.resize(least_.size());
    }
    drawParameters();
  }

  void step() {
    allocate();
    drawParameters();
  }

  double alpha() const { return alpha_; }
  int occupied() const { return static_cast<int>(std::count_if(counts_.begin(), counts_.end(), [](int n) { return n > 0; })); }

 private:
  double uniform() { return unit_(random_); }
  double gamma(double shape) { return gamma_(random_, std::gamma_distribution<double>::param_type(shape, 1)); }
  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  bool accepts(double logRatio) { return logRatio >= 0 || std::log(uniform()) < logRatio; }

  void allocate() {
    Vector weight(classes_);
    for (std::size_t i = 0; i < records_.size(); i++) {
      const Record& record = records_[i];
      double most = -INFINITY;
      for (int f = 0; f < classes_; f++) {
        const Class& c = state_[f];
        double sum = std::log(c.pi);
        for (std::size_t k = 0; k < sizes_.size(); k++)
          if (record.codes[k] >= 0) sum += std::log(c.phi[k][record.codes[k]]);
        for (std::size_t j = 0; j < least_.size(); j++) {
          if (std::isnan(record.values[j])) continue;
          double d = record.values[j] - c.normals[j].mu;
          sum -= 0.5 * std::log(2 * M_PI * c.normals[j].sigma2) + d * d / (2 * c.normals[j].sigma2);
        }
        weight[f] = sum;
        most = std::max(most, sum);
      }
      double total = 0;
      for (int f = 0; f < classes_; f++) total += weight[f] = std::exp(weight[f] - most);
      double rest = uniform() * total;
      int f = 0;
      while (f < classes_ - 1 && rest >= weight[f]) rest -= weight[f++];
      z_[i] = f;
    }
  }

  void swapLabels(int j, int l) {
    std::swap(counts_[j], counts_[l]);
    std::swap(holder_[j], holder_[l]);
  }

  void drawParameters() {
    counts_.assign(classes_, 0);
    std::vector<std::vector<std::vector<int>>> tally;
    for (int size : sizes_) tally.emplace_back(size, std::vector<int>(classes_, 0));
    for (std::size_t i = 0; i < records_.size(); i++) {
      counts_[z_[i]]++;
      for (std::size_t k = 0; k < sizes_.size(); k++)
        if (records_[i].codes[k] >= 0) tally[k][records_[i].codes[k]][z_[i]]++;
    }
    holder_.resize(classes_);
    for (int f = 0; f < classes_; f++) holder_[f] = f;
    swapWithoutSticks();
    drawSticks();
    switchLabels();
    for (int f = 0; f < classes_; f++) {
      Class& c = state_[f];
      for (std::size_t k = 0; k < sizes_.size(); k++) {
        double total = 0;
        for (int x = 0; x < sizes_[k]; x++) total += c.phi[k][x] = gamma(1 + tally[k][x][holder_[f]]);
        for (double& p : c.phi[k]) p /= total;
      }
    }
    alpha_ = gamma(0.25 + classes_ - 1) / (0.25 - logPi_[classes_ - 1]);
    for (int f = 0; f < classes_; f++) state_[f].pi = std::exp(logPi_[f]);
    for (std::size_t j = 0; j < least_.size(); j++) drawNormals(j);
  }

  void drawNormals(std::size_t j) {
    std::vector<int> numbers(classes_, 0);
    Vector means(classes_, 0), squares(classes_, 0);
    for (std::size_t i = 0; i < records_.size(); i++) {
      if (std::isnan(records_[i].values[j])) continue;
      numbers[z_[i]]++;
      means[z_[i]] += records_[i].values[j];
    }
    for (int f = 0; f < classes_; f++)
      if (numbers[f] > 0) means[f] /= numbers[f];
    for (std::size_t i = 0; i < records_.size(); i++) {
      if (std::isnan(records_[i].values[j])) continue;
      double d = records_[i].values[j] - means[z_[i]];
      squares[z_[i]] += d * d;
    }
    for (int f = 0; f < classes_; f++) {
      int h = holder_[f];
      double n = numbers[h], d = n > 0 ? means[h] - 0.5 : 0, total = kKappa + n;
      double rate = kRate + 0.5 * (squares[h] + kKappa * n / total * d * d);
      double sigma2;
      do sigma2 = rate / gamma(kShape + 0.5 * n);
      while (sigma2 < least_[j] * least_[j]);
      state_[f].normals[j] = {0.5 + n / total * d + std::sqrt(sigma2 / total) * normal_(random_), sigma2};
    }
  }

  void swapWithoutSticks() {
    double alpha = alpha_;
    for (int move = 0; move < classes_ && classes_ > 1; move++) {
      int first = below(classes_);
      int second = (first + 1 + below(classes_ - 1)) % classes_;
      int j = std::min(first, second);
      int l = std::max(first, second);
      int change = counts_[j] - counts_[l];
      double logRatio = 0;
      if (change != 0) {
        int after = 0;
        for (int f = l; f < classes_; f++) after += counts_[f];
        for (int f = l; f > j; f--) {
          if (f < classes_ - 1) logRatio += std::log((alpha + after) / (alpha + after + change));
          after += counts_[f - 1];
        }
        if (l == classes_ - 1) {
          logRatio += std::lgamma(counts_[l] + 1.0) + std::lgamma(alpha + counts_[j]) -
                      std::lgamma(counts_[j] + 1.0) - std::lgamma(alpha + counts_[l]);
        }
      }
      if (accepts(logRatio)) swapLabels(j, l);
    }
  }

  void drawSticks() {
    logStick_.assign(classes_, 0);
    logRest_.assign(classes_, 0);
    logPi_.assign(classes_, 0);
    int after = static_cast<int>(records_.size());
    double logRest = 0;
    for (int f = 0; f < classes_ - 1; f++) {
      after -= counts_[f];
      double x = logGamma(1 + counts_[f]);
      double y = logGamma(alpha_ + after);
      double largest = std::max(x, y);
      double logTotal = largest + std::log(std::exp(x - largest) + std::exp(y - largest));
      logStick_[f] = x - logTotal;
      logRest_[f] = y - logTotal;
      logPi_[f] = logRest + logStick_[f];
      logRest += logRest_[f];
    }
    logPi_[classes_ - 1] = logRest;
  }

  // log of a gamma variate; a small shape would underflow.
  double logGamma(double shape) {
    return shape >= 1 ? std::log(gamma(shape)) : std::log(gamma(shape + 1)) + std::log(uniform()) / shape;
  }

  void switchLabels() {
    for (int move = 0; move < classes_ && classes_ > 1; move++) {
      int j = below(classes_);
      int l = (j + 1 + below(classes_ - 1)) % classes_;
      int difference = counts_[l] - counts_[j];
      if (difference == 0 || accepts(difference * (logPi_[j] - logPi_[l]))) swapLabels(j, l);
    }
    for (int move = 0; move < classes_ && classes_ > 2; move++) {
      int j = below(classes_ - 2);
      if (!accepts(counts_[j] * logRest_[j + 1] - counts_[j + 1] * logRest_[j])) continue;
      swapLabels(j, j + 1);
      double before = logPi_[j] - logStick_[j];
      std::swap(logStick_[j], logStick_[j + 1]);
      std::swap(logRest_[j], logRest_[j + 1]);
      logPi_[j] = before + logStick_[j];
      logPi_[j + 1] = before + logRest_[j] + logStick_[j + 1];
    }
  }

  std::vector<Record> records_;
  std::vector<int> sizes_;
  Vector least_;
  int classes_;
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> unit_{0, 1};
  std::gamma_distribution<double> gamma_;
  std::normal_distribution<double> normal_;
  std::vector<int> z_;
  std::vector<Class> state_;
  double alpha_ = 1;
  std::vector<int> counts_;
  std::vector<int> holder_;
  Vector logStick_;
  Vector logRest_;
  Vector logPi_;
};

int main() {
  int records, variables, continuous, classes, iterations, repeats;
  unsigned long seed;
  std::cin >> records >> variables >> continuous >> classes >> iterations >> repeats >> seed >> kKappa >> kShape >> kRate;
  std::vector<int> sizes(variables);
  for (int& size : sizes) std::cin >> size;
  Vector least(continuous);
  for (double& one : least) std::cin >> one;
  std::vector<Record> table(records, {std::vector<int>(variables), Vector(continuous)});
  for (Record& record : table) {
    for (int& code : record.codes) std::cin >> code;
    for (double& value : record.values) {
      std::string number;
      std::cin >> number;
      value = std::stod(number);
    }
  }
  Sampler sampler(table, sizes, least, classes, seed);
  for (int i = 0; i < iterations; i++) sampler.step();
  Vector times;
  double alpha = 0, occupied = 0;
  for (int r = 0; r < repeats; r++) {
    std::clock_t started = std::clock();
    for (int i = 0; i < iterations; i++) {
      sampler.step();
      alpha += sampler.alpha();
      occupied += sampler.occupied();
    }
    times.push_back(1000.0 * (std::clock() - started) / CLOCKS_PER_SEC / iterations);
  }
  std::sort(times.begin(), times.end());
  std::cout << times[repeats / 2] << ' ' << alpha / repeats / iterations << ' '
            << occupied / repeats / iterations << '\n';
}
